# The translator's library of instructions (library/*.cpp as LLVM bitcode), between two symbols.
        .section .rodata
        .balign 16
        .globl omnihip_translate_library
omnihip_translate_library:
        .incbin OMNIHIP_LIBRARY_BITCODE
        .globl omnihip_translate_library_end
omnihip_translate_library_end:
        .byte 0
        .section .note.GNU-stack,"",@progbits
