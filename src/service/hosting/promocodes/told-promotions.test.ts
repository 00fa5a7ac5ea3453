import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { heldClock, openTestService, startTestService, temporaryFolder } from '../../service.fixture.ts'
import { promocodesTable } from '../../store/promocodes.ts'
import { listen, listOf } from '../../areas/notifications/notifications.fixture.ts'
import { hashPromocode, newPromocode } from './promocodes.ts'

const DAY = 24 * 60 * 60 * 1000

/** Puts a code into the database of a service, as its command line does. */
function codeIn(dataDir: string, name: string, lastsMs: number | null): string {
  const db = new DatabaseSync(path.join(dataDir, 'service.db'), { timeout: 5000 })
  const code = newPromocode()
  promocodesTable(db).insert({
    ...{ id: name, hash: hashPromocode(code), name, createdAt: 1, servers: 1, memoryMb: 0, diskBytes: 0 },
    ...{ lastsMs, usesMost: 1000, expiresAt: null },
  })
  db.close()
  return code
}

test('benefits that are about to end are told once, some days before, whatever restarts there are', async () => {
  const [clock, dataDir] = [heldClock(), await temporaryFolder()]
  const open = () => openTestService({ dataDir, clock })
  let at = await open()
  onTestFinished(() => at.service.close(true))
  const token = await at.account('ann@example.com')
  for (const [name, lasts] of [
    ['Month', 30 * DAY],
    ['Days', 4 * DAY],
    ['Always', null],
  ] as const) {
    const code = codeIn(dataDir, name, lasts)
    expect((await at.call('POST /promocodes/activate', { token, body: { code } })).status).toBe(200)
  }
  const begun = clock.now()
  const told = async () =>
    (await listOf(at, token))
      .filter(({ values }) => values.until)
      .map(({ values, title, readAt }) => [values.promotion, values.until, title, readAt])
  const restart = async () => {
    await at.service.close(true)
    at = await open()
  }
  await restart()
  expect(await told()).toEqual([])
  // What lasts for days alone is told of in its middle.
  clock.forward(2 * DAY)
  await restart()
  const ofDays = ['Days', new Date(begun + 4 * DAY).toISOString(), 'Days ends on January 5, 2026 (UTC)', null]
  expect(await told()).toEqual([ofDays])
  clock.forward(25 * DAY - 1)
  await restart()
  expect(await told()).toEqual([ofDays])
  clock.forward(1)
  await restart()
  const ofMonth = [
    'Month',
    new Date(begun + 30 * DAY).toISOString(),
    'Month ends on January 31, 2026 (UTC)',
    null,
  ]
  expect(await told()).toEqual([ofMonth, ofDays])
  await restart()
  clock.forward(2 * DAY)
  await restart()
  expect(await told()).toEqual([ofMonth, ofDays])
})

test('what ended while no service was there is told to nobody', async () => {
  const [clock, dataDir] = [heldClock(), await temporaryFolder()]
  let at = await openTestService({ dataDir, clock })
  onTestFinished(() => at.service.close(true))
  const token = await at.account('ann@example.com')
  const code = codeIn(dataDir, 'Month', 20 * DAY)
  await at.call('POST /promocodes/activate', { token, body: { code } })
  await at.service.close(true)
  clock.forward(21 * DAY)
  at = await openTestService({ dataDir, clock })
  expect((await listOf(at, token)).filter(({ values }) => values.until)).toEqual([])
})

test('who activates a code is not alerted to that by themselves: it is listed, and read', async () => {
  const at = await startTestService()
  const token = await at.account('ann@example.com')
  const stream = await listen(at, token)
  const code = codeIn(at.service.dataDir, 'Launch', null)
  await at.call('POST /promocodes/activate', { token, body: { code } })
  expect((await stream.next('notification')).data).toEqual({ unread: 0, notification: null })
  expect(await listOf(at, token)).toMatchObject([
    { kind: 'promotion', title: 'Launch was activated', readAt: expect.any(String) },
  ])
})
