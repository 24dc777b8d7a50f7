# A sign-extended 32-bit address of one of the engine's functions.
  .text
  .globl helper_address
helper_address:
  movq $helper, %rax
  retq
