# The translator's libraries of instructions (library/*.cpp as LLVM bitcode), each between two symbols.
        .macro library isa, file
        .balign 16
        .globl omnihip_library_\isa
omnihip_library_\isa:
        .incbin "\file"
        .globl omnihip_library_\isa\()_end
omnihip_library_\isa\()_end:
        .byte 0
        .endm

        .section .rodata
        library avx2, OMNIHIP_LIBRARY_AVX2
        library avx512, OMNIHIP_LIBRARY_AVX512
        .section .note.GNU-stack,"",@progbits
