import { launch } from '../launch.mjs';

launch('doctor');
