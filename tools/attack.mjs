import { launch } from './launch.mjs';

launch('attack');
