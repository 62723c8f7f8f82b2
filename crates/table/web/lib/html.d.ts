// Types of `html.js` for the checker; the page itself never reads this.
export { Fragment, h, render } from 'preact';
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
export function html(strings: TemplateStringsArray, ...values: any[]): any;
