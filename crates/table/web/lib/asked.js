// @ts-check
/** Answers that come after the person has gone on: they must not take anybody away from where they are now. */
import { useEffect, useRef } from './html.js';
import { t } from './i18n.js';
import { go, say } from './frame.js';

/**
 * Whether an answer is still waited for. The result is called when something is asked, or when the person goes on to something
 * else; it answers a function that tells whether nothing was asked since and the screen is still there.
 * @returns {() => () => boolean}
 */
export function useAsked() {
  const last = useRef(0);
  useEffect(() => () => { last.current = NaN; }, []);
  return () => {
    const mine = ++last.current;
    return () => mine === last.current;
  };
}

/**
 * Goes to a game that was made; who has gone on meanwhile is told that it is there.
 * @param {() => boolean} still
 * @param {string} where
 */
export function arrive(still, where) {
  if (still()) go(where);
  else say(t('late.made'), { label: t('lobby.open'), run: () => go(where) });
}
