#!/usr/bin/env node
import './node-version.cjs';

import('./latchscope.mjs');
