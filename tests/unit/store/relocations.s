# Relocations that compilers seldom make.
  .text
  .globl distance
distance:                       # from `table` to 5 bytes behind itself
  movq table(%rip), %rax
  retq
  .section .rodata,"a",@progbits
  .balign 8
  .globl table
table:
  .quad distance - . + 5
