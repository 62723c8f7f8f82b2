// Games without a drawing of their own are played on the generic board.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { launch, open } from '../lib/page.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

for (const name of ['Tic-tac-toe', 'Kuhn poker', 'Countdown']) {
  test(`${name} is played to its end on the generic board`, async () => {
    const { page, context, errors } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
    await page.goto(server.base);
    await page.getByRole('button', { name: `Play ${name}` }).click();
    await page.locator('.gen').waitFor();
    assert.deepEqual(await violations(page), []);
    // The command line does not speak of stones and points.
    await page.keyboard.press('/');
    assert.doesNotMatch(await page.locator('.cli').innerText() + await page.locator('.cli input').getAttribute('placeholder'), /D4|groups|score/);
    await page.keyboard.press('Escape');
    for (const from = Date.now(); Date.now() - from < 180000 && !(await page.locator('.result').count());) {
      const act = page.locator('.gen .acts button:not([disabled])');
      if (await act.count()) await act.first().click({ timeout: 5000 }).catch(() => {});
      await page.waitForTimeout(60);
    }
    await page.locator('.result h2').waitFor();
    assert.deepEqual(errors, []);
    await context.close();
  });
}
