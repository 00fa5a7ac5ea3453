import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { account } from '../doubles/services/second-service/second-service.ts'
import { nameOf, styled } from '../doubles/services/second-service/variants.ts'
import { code, fileRow, openEntry, uploadFiles } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { connect, openWindow } from './fixtures/lanes.ts'
import type { Place } from './fixtures/place.ts'
import { type Second, startSecond } from './fixtures/second.ts'
import { row, sendCommand, status } from './fixtures/views.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Windows on one panel that go through the services at the same time: most of it is waiting. */
const LANES = 3

/** Goes from the list of servers through the console to the files of a service that somebody is signed in to. */
async function useIn(page: Page, service: Second, place: Place): Promise<void> {
  const connectionId = await connect(page, { baseUrl: service.baseUrl, account })
  const { host } = new URL(service.baseUrl)
  const at = `#/c/${encodeURIComponent(connectionId)}/s/${encodeURIComponent(service.idOf(1))}`
  const goTo = (tab: string) => page.evaluate((to) => (location.hash = to), `${at}/${tab}`)
  const rail = page.getByRole('navigation', { name: 'Servers' }).getByRole('group', { name: host })
  await expect(rail.getByRole('link', { name: 'Creative' })).toContainText('Offline')
  await rail.getByRole('link', { name: 'Survival' }).click()
  await expect(status(page)).toHaveText('Online')

  await goTo('console')
  await expect(row(page, 'Done (2.5s)!')).toBeVisible()
  await sendCommand(page, 'say hello')
  await expect(row(page, '> say hello')).toBeVisible()
  expect(service.ran).toEqual(['say hello'])
  await expect(page.getByText(/Not sent|It is not known whether|differs|couldn’t be read/)).toHaveCount(0)

  await goTo('files')
  await openEntry(page, 'server.properties')
  await expect(code(page, 'server.properties')).toContainText('motd=Hello')
  await goTo('files')
  const mine = place.at(`${service.knobs.style}.txt`)
  await writeFile(mine, 'Mine\n')
  await uploadFiles(page, mine)
  await expect.poll(() => service.file(1, `${service.knobs.style}.txt`)).toBe('Mine\n')
  await expect(fileRow(page, `${service.knobs.style}.txt`)).toBeVisible()
}

test('@browser services that write as frameworks and panels do are used from sign-in to files', async ({
  openPanel,
  place,
  guard,
}) => {
  const panel = await openPanel()
  const pages = [panel.page]
  while (pages.length < LANES) pages.push(await openWindow({ panel, guard, place }))
  const services = await Promise.all(styled.map((variant) => startSecond(place, variant)))
  await Promise.all(
    pages.map(async (page, lane) => {
      for (const [at, variant] of styled.entries())
        if (at % LANES === lane)
          await test.step(nameOf(variant), () => useIn(page, services[at] as Second, place))
    }),
  )
})
