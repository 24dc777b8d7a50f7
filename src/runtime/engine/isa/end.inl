// runtime/engine/isa/end.inl - closes a run of definitions that types.inl opened: kDefinitionCount of them exist.
inline constexpr int kDefinitionCount = __COUNTER__ - kFirstCounter;
#undef OP
#undef FOR_STRIPS
