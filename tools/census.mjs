import { launch } from './launch.mjs';

launch('census');
