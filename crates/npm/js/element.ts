// <zvm-lab>, the laboratory in a page of your own: types of static/zvm-lab.js, which the package holds as it is.

import { ZvmLab, ZvmLabError } from './zvm-lab.js';

export { ZvmLab, ZvmLabError };

declare global {
  interface HTMLElementTagNameMap {
    'zvm-lab': ZvmLab;
  }
}
