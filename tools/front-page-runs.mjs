import { launch } from './launch.mjs';

launch('front-page-runs');
