import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openLogger } from './open-logger.ts'

/** Logs something and answers what stands in the file. */
async function written(say: (log: Logger) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const log = openLogger({ folder, name: 'x.log' })
  say(log.logger)
  await log.close()
  return readFile(log.path, 'utf8')
}

const messages = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

test('of a flood so much is kept as fits into a second, and one entry says how much is missing', async () => {
  const text = await written((log) => {
    for (let i = 0; i < 10_000; i++) log.info({ path: 'x'.repeat(100) }, 'answered')
  })
  expect(text.length).toBeLessThan(128 * 1024)
  const said = messages(text)
  const kept = said.filter((message) => message === 'answered').length
  expect(kept).toBeGreaterThan(50)
  expect(said.at(-1)).toMatch(`${10_000 - kept} entries were left out`)
})

test('a flood of ordinary entries hides no error', async () => {
  const text = await written((log) => {
    for (let i = 0; i < 10_000; i++) log.info('answered')
    log.error('this one matters')
  })
  expect(messages(text)).toContain('this one matters')
})

test('a field that a stranger made long is cut, and so are lists, objects and whole entries', async () => {
  const text = await written((log) => {
    log.info({ path: 'p'.repeat(1_000_000) }, 'one')
    log.info({ list: Array.from({ length: 100_000 }, () => 'x') }, 'two')
    log.info(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1])), 'three')
    log.error({ err: new Error('e'.repeat(1_000_000)) }, 'four')
    log.info('m'.repeat(1_000_000))
  })
  expect(messages(text).length).toBe(5)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(8 * 1024)
  expect(text).toContain('[1000000 characters]')
})

test('what is cut shows no secret that was cut in two', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const log = openLogger({ folder, name: 'x.log' })
  const secret = 'wh_0123456789abcdefghij'
  log.hide(secret)
  for (let at = 1990; at < 2060; at++) log.logger.info(`${'m'.repeat(at)}${secret}${'m'.repeat(9000)}`)
  for (let at = 65_480; at < 65_540; at++) log.logger.info(`${'m'.repeat(at)}${secret}`)
  await log.close()
  expect(await readFile(log.path, 'utf8')).not.toContain('wh_0')
})

test('an address of a thousand dots is gone through once', async () => {
  const text = await written((log) => {
    for (let i = 0; i < 200; i++) log.info({ path: 'a.'.repeat(480) }, 'x')
    log.info('see https://h/x?code=oneTimeCode1 there')
  })
  expect(text).not.toContain('oneTimeCode1')
})
