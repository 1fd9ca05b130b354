#!/usr/bin/env node
import module from 'node:module';
import v8 from 'node:v8';

// A check is over in seconds, so much of what is optimized never pays: by default that took a third of its CPU, most of it
// on threads that nobody sees. It starts later, and inlines less.
v8.setFlagsFromString('--interrupt-budget=200000');
v8.setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');

// From Node 22 on compiled code is kept between runs; a short run spends half its time compiling the compiler.
module.enableCompileCache?.();

await import('../dist/cli/main.js');
