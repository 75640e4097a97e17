import { launch } from './launch.mjs';

launch('record');
