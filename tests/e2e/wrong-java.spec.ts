import { readFile } from 'node:fs/promises'
import { offerJava } from '../doubles/catalogs/adoptium-answers.ts'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { createJavaServer, ownCatalogs } from './fixtures/catalogs.ts'
import { asProcesses, expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openConsole, power, row, status, tab } from './fixtures/views.ts'

const VERSION = '1.20.4'
/** What is downloaded or started may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }
/** Of a Java that no computer of the tests has. */
const NEWER = 90
const CLASS_VERSION = NEWER + 44

test('a server needs a newer Java than the one that was found: the card says so, and its button fetches it', async ({
  openPanel,
  place,
}) => {
  asProcesses('its stand-in for a Java starts the one of this computer')
  const { catalogs, options } = await ownCatalogs(place)
  const paper = { kind: 'paper', version: VERSION, build: '499' } as const
  const jar = await readFile(await javaServerJar({ ...paper, classVersion: CLASS_VERSION }))
  // Its catalog does not know it.
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  // A stand-in: it runs the same program as this computer's Java can read it.
  const readable = await javaServerJar(paper)
  const script = `#!/bin/sh\nfor arg do shift; [ "$arg" = server.jar ] && arg='${readable}'; set -- "$@" "$arg"; done\nexec java "$@"\n`
  await offerJava(catalogs, NEWER, script)
  const { page } = await openPanel(options)
  const looks = new Looks()
  const card = page.getByRole('region', { name: 'Crash' })

  await createJavaServer(page)
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Crashed', SLOWLY)
  await tab(page, 'Overview').click()
  await expect(card.getByRole('heading')).toHaveText(`The server needs Java ${NEWER}`)
  await expect(card).toContainText(/It ran with Java \d+\. Start it with Java 90/)
  await looks.at(page, 'crash by Java')
  await card.getByRole('button', { name: `Use Java ${NEWER} and start` }).click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await expect(card).toBeHidden()
  await openConsole(page)
  await expect(row(page, `Java ${NEWER} is not on this computer. It is being downloaded.`)).toBeVisible()
  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  looks.expectNothing()
})
