import { launch } from './launch.mjs';

launch('latchscope');
