import { watch } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { isMail } from '../../service.fixture.ts'
import { heldClock, temporaryFolder } from '../../service.fixture.ts'
import { folderOutbox, takeWaiting } from './folder-outbox.ts'
import { waitingMails } from './waiting-mails.ts'

const mail = { to: 'ann@example.org', subject: 'A mail', text: 'Hello', goodForMs: 1000 }

test('of too many mails the oldest are removed, and nothing else is', async () => {
  const folder = path.join(await temporaryFolder(), 'outbox')
  await mkdir(folder)
  for (const name of ['2025-01-01T00-00-00-000Z-a.eml', '2025-01-02T00-00-00-000Z-b.eml', 'notes.txt'])
    await writeFile(path.join(folder, name), '')
  await folderOutbox(folder, heldClock(), 2).send(mail)
  const names = (await readdir(folder)).sort()
  expect(names.slice(0, 1)).toEqual(['2025-01-02T00-00-00-000Z-b.eml'])
  expect(names.at(-1)).toBe('notes.txt')
  expect(names).toHaveLength(3)
})

test('says beforehand where no mail could be written, and leaves nothing behind', async () => {
  const folder = path.join(await temporaryFolder(), 'outbox')
  const outbox = folderOutbox(folder, heldClock())
  await outbox.ready()
  expect(await readdir(folder)).toEqual([])
  const taken = path.join(await temporaryFolder(), 'a file')
  await writeFile(taken, '')
  await expect(folderOutbox(taken, heldClock()).ready()).rejects.toMatchObject({ code: 'EEXIST' })
})

test('a mail that nobody is to get is never seen by who watches the folder for mails', async () => {
  const folder = path.join(await temporaryFolder(), 'outbox')
  const outbox = folderOutbox(folder, heldClock())
  await outbox.ready()
  const seen: (string | null)[] = []
  const watcher = watch(folder, (_event, name) => void seen.push(name))
  await outbox.feign(mail)
  await outbox.send(mail)
  await expect.poll(() => seen.some((name) => name !== null && isMail(name))).toBe(true)
  watcher.close()
  expect(new Set(seen.filter((name) => name !== null && isMail(name))).size).toBe(1)
  expect(await readdir(folder)).toHaveLength(1)
})

test('what a run that was killed left half-written is removed, and nothing else is', async () => {
  const folder = path.join(await temporaryFolder(), 'outbox')
  await mkdir(folder)
  for (const name of ['.room-0123abcd', '.2025-01-01T00-00-00-000Z-0123abcd.eml', '.keep', 'a.eml'])
    await writeFile(path.join(folder, name), '')
  await folderOutbox(folder, heldClock()).ready()
  expect((await readdir(folder)).sort()).toEqual(['.keep', 'a.eml'])
})

test('what waited for a mail server comes to all other mail, and what is of no use any more to what was not sent', async () => {
  const [folder, clock] = [path.join(await temporaryFolder(), 'outbox'), heldClock()]
  await takeWaiting(folder, clock, pino({ enabled: false }))
  const waiting = waitingMails(folder, clock)
  await waiting.add({ ...mail, subject: 'Too late' })
  clock.forward(mail.goodForMs + 1)
  await waiting.add(mail)
  await writeFile(path.join(folder, 'waiting', '2026-damaged.json'), '{')
  await takeWaiting(folder, clock, pino({ enabled: false }))
  const textsIn = async (at: string) => {
    const names = (await readdir(at)).filter((name) => name.endsWith('.eml'))
    return Promise.all(names.map((name) => readFile(path.join(at, name), 'utf8')))
  }
  expect(await textsIn(folder)).toEqual([expect.stringContaining('Subject: A mail')])
  expect(await textsIn(path.join(folder, 'failed'))).toEqual([expect.stringContaining('Subject: Too late')])
  expect(await readdir(path.join(folder, 'waiting'))).toEqual([])
})

test('a waiting mail that cannot be read holds no other up', async () => {
  const [folder, clock] = [path.join(await temporaryFolder(), 'outbox'), heldClock()]
  const waiting = waitingMails(folder, clock)
  await waiting.add(mail)
  // It stands before all others, and no more can be read of it than of a file that belongs to somebody else.
  await mkdir(path.join(folder, 'waiting', '2000-01-01.json'))
  await takeWaiting(folder, clock, pino({ enabled: false }))
  expect((await readdir(folder)).filter(isMail)).toHaveLength(1)
  expect(await readdir(path.join(folder, 'waiting'))).toEqual(['2000-01-01.json'])
})
