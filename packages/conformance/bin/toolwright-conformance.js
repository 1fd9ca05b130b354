#!/usr/bin/env node
import module from 'node:module';

// From Node 22 on compiled code is kept between runs; a short run spends half its time compiling the compiler.
module.enableCompileCache?.();

await import('../dist/cli/main.js');
