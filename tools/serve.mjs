import { launch } from './launch.mjs';

launch('serve');
