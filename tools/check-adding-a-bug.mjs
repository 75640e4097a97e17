import { launch } from './launch.mjs';

launch('check-adding-a-bug');
