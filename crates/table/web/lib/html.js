// @ts-check
/** Preact and htm as one import: what every component needs. */
import { Fragment, h, render } from '../vendor/preact-10.29.8.js';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/preact-hooks-10.29.8.js';
import htm from '../vendor/htm-3.1.1.js';

/** Tagged template that builds Preact elements. */
export const html = htm.bind(h);
export { Fragment, h, render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };
