// @ts-check
/** Fields of forms. */
import { html, useState } from './html.js';

/**
 * A field whose text counts when it is left. What is being typed stays, whatever is drawn again meanwhile.
 * @param {{ value: string | number, onDone: (text: string) => void, [attribute: string]: any }} props further attributes go to the input
 */
export function Field({ value, onDone, ...attributes }) {
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  return html`<input ...${attributes} value=${typed ?? value} onInput=${(/** @type {any} */ e) => setTyped(e.target.value)}
    onChange=${(/** @type {any} */ e) => { setTyped(null); onDone(e.target.value); }} />`;
}
