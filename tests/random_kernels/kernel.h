// kernel.h - one kernel of a generated program, written twice: for the device, where every lane executes all of it, and
// for the host, where a phase is run for one lane after the other and a step between lanes is a loop over the lanes of
// a block. Barriers, and the branches and loops around them, are uniform for the block: a lane computes what they
// depend on and the others read it from LDS.
#pragma once

#include "writer.h"

namespace random_kernels {

class Kernel {
public:
  Kernel(Random& random, const Program& program, unsigned number);
  void write();

  /// The state, the phases, the kernel and its simulation.
  const std::string& text() const { return text_; }
  /// The kernel's row in the program's table.
  std::string row() const;

private:
  using Access = Writer::Access;
  struct Member {
    std::string name;
    Type type;
  };

  // kernel.cpp
  void state();
  void store();
  void phase();
  void steps(unsigned count, unsigned depth);
  void uniform_branch(unsigned depth);
  void uniform_for(unsigned depth);
  void uniform_while(unsigned depth);
  void set_control(unsigned depth, const std::string& number);
  Writer expressions(unsigned cost_limit, unsigned indent = 0) const;
  std::string number(Type type) { return expressions(200).value(type, 1); }
  std::string chosen(unsigned count) { return expressions(200).index(count, 1); }
  std::string condition() { return expressions(200).condition(1); }
  const Member& member(const std::vector<Type>& types);
  std::string assign(const Member& to, Type from, const std::string& value) const;

  void device(const std::string& line) { device_ += std::string(indent_ * 2, ' ') + line + "\n"; }
  void host(const std::string& line) { host_ += std::string(indent_ * 2, ' ') + line + "\n"; }
  void barrier() { device("__syncthreads();"); }
  void each(const std::string& body); ///< the host does this for every lane: l, its state s and its context c

  // steps.cpp
  void step();
  void shuffle();
  void shuffle_by_distance();
  void shuffle_among_active();
  void ballot();
  void loop_votes();
  void block_votes();
  void wave_sum();
  void exchange();
  void board();
  void cells();
  void grid_cells();
  void list();

  Random& random_;
  const Program& program_;
  std::string name_, text_, device_, host_;
  unsigned lanes_, blocks_, indent_ = 1, phases_ = 0;
  unsigned times_ = 1; // how often the block does at most what is being written
  int structure_;      // of the state's object
  std::vector<Member> members_;
  std::vector<std::string> stored_; // the fields' names as reports show them
};

} // namespace random_kernels
