// hip/api/graph.h - graphs of work, made once and launched often: whole graphs, executables, user objects. The nodes
// are in graph_node.h.
#ifndef HIP_INCLUDE_HIP_API_GRAPH_H
#define HIP_INCLUDE_HIP_API_GRAPH_H

#include <hip/api/graph_types.h>

HIP_C_BEGIN

// Makes an empty graph. `flags` must be 0.
hipError_t hipGraphCreate(hipGraph_t* pGraph, unsigned int flags);

// Destroys a graph and its nodes.
hipError_t hipGraphDestroy(hipGraph_t graph);

// A copy of a graph and of the graphs in it.
hipError_t hipGraphClone(hipGraph_t* pGraphClone, hipGraph_t originalGraph);

// Fills `nodes` with at most `numNodes` nodes and returns how many; with null, how many there are.
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* numNodes);

// As hipGraphGetNodes for the nodes that depend on none.
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* pRootNodes, size_t* pNumRootNodes);

// As hipGraphGetNodes for the edges; from[i] comes before to[i].
hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to, size_t* numEdges);

// Adds edges from `from`[i] to `to`[i].
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t numDependencies);

// Removes edges.
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                      size_t numDependencies);

// Writes the graph to a file in the language of Graphviz. `flags`: hipGraphDebugDotFlags.
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags);

// ---- Executables ----------------------------------------------------------------------------------------------------

// Makes an executable of a graph. `pErrorNode` and `pLogBuffer` may be null.
hipError_t hipGraphInstantiate(hipGraphExec_t* pGraphExec, hipGraph_t graph, hipGraphNode_t* pErrorNode,
                               char* pLogBuffer, size_t bufferSize);

// Makes an executable with hipGraphInstantiateFlags.
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags);

// Makes an executable; the result is also in `instantiateParams`.
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* pGraphExec, hipGraph_t graph,
                                         hipGraphInstantiateParams* instantiateParams);

// Queues what the first launch would do beforehand.
hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream);

// Queues a run of the whole graph.
hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream);

// Takes the node parameters of `hGraph`, which must have the same shape.
hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph, hipGraphNode_t* hErrorNode_out,
                              hipGraphExecUpdateResult* updateResult_out);

// Flags the executable was made with.
hipError_t hipGraphExecGetFlags(hipGraphExec_t graphExec, unsigned long long* flags);

// Destroys an executable.
hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec);

// ---- User objects: things that live as long as a graph uses them ----------------------------------------------------

// Makes an object with `initialRefcount` references; `destroy` is called with `ptr` when none is left. `flags` must
// be hipUserObjectNoDestructorSync.
hipError_t hipUserObjectCreate(hipUserObject_t* object_out, void* ptr, hipHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags);

// Adds references.
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count __dparm(1));

// Removes references.
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count __dparm(1));

// Makes a graph hold references; with hipGraphUserObjectMove the caller's own.
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count __dparm(1),
                                    unsigned int flags __dparm(0));

// Makes a graph drop references.
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count __dparm(1));

// ---- Memory of graphs -----------------------------------------------------------------------------------------------

// Memory that graphs use on a device.
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void* value);

// Sets a high mark to 0.
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void* value);

// Gives memory that no graph uses back to the system.
hipError_t hipDeviceGraphMemTrim(int device);

HIP_C_END

#endif
