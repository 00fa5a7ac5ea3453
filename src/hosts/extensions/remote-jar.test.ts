import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { pluginJar } from '../../../tests/fixtures/extension-jar.ts'
import type { RemoteFolder } from './remote-folder.ts'
import { readRemoteJar } from './remote-jar.ts'

/** A host with one jar; it gives parts unless it `isWhole`, and counts what it gave. */
function hostOf(jar: Buffer, { isWhole = false } = {}) {
  const given = { bytes: 0, parts: 0 }
  const refused = () => Promise.reject(new Error('nothing is changed'))
  const folder: RemoteFolder = {
    list: () => Promise.resolve([]),
    read() {
      given.bytes += jar.length
      return Promise.resolve({ stream: Readable.from([jar], { objectMode: false }), size: jar.length })
    },
    readPart(_path, from, to) {
      if (isWhole) return Promise.resolve(null)
      given.bytes += to - from
      given.parts++
      return Promise.resolve(jar.subarray(from, to))
    },
    ...{ upload: refused, makeFolder: refused, move: refused, remove: refused },
  }
  return { given, read: () => readRemoteJar(folder, 'mods/big.jar', jar.length) }
}

/** 12 MB, of which a jar within it and the description matter. */
async function largeMod(): Promise<Buffer> {
  const inner = await pluginJar({ name: 'Inner Library', version: '2', form: 'fabric' })
  return pluginJar({
    ...{ name: 'Big Mod', version: '5.1', form: 'fabric', depends: ['Base'] },
    files: { 'assets/one.bin': randomBytes(12_000_000), 'META-INF/jars/inner.jar': inner },
  })
}

test('of a large jar only the parts with its descriptions are read', async () => {
  const { read, given } = hostOf(await largeMod())
  expect(await read()).toMatchObject({
    facts: [{ id: 'big-mod', version: '5.1', needs: [{ id: 'base' }], provides: ['inner-library'] }],
    ...{ isPartial: false, hashes: null },
  })
  expect(given.bytes).toBeLessThan(1_000_000)
  expect(given.parts).toBeLessThan(10)
})

test('where parts are not given it is read whole, once, with its hashes', async () => {
  const jar = await largeMod()
  const { read, given } = hostOf(jar, { isWhole: true })
  expect(await read()).toMatchObject({
    facts: [{ id: 'big-mod', provides: ['inner-library'] }],
    hashes: { sha512: expect.any(String) as unknown },
  })
  expect(given.bytes).toBe(jar.length)
})

test.for([
  ['that is no jar', () => randomBytes(6_000_000), 'not-zip'],
  ['whose end is missing', (jar: Buffer) => jar.subarray(0, jar.length - 100_000), 'damaged'],
] as const)('a file %s is told as such, from few bytes', async ([, change, why]) => {
  const { read, given } = hostOf(change(await largeMod()))
  expect(await read()).toMatchObject({ facts: null, why })
  expect(given.bytes).toBeLessThan(1_000_000)
})

test('a jar that says of others within it that they are endless is read up to a limit', async () => {
  const names = Array.from({ length: 180 }, (_, at) => [`META-INF/jars/${at}.jar`, randomBytes(150_000)])
  const jar = await pluginJar({
    ...{ name: 'Nest', version: '1', form: 'fabric' },
    files: Object.fromEntries(names) as Record<string, Buffer>,
  })
  const { read, given } = hostOf(jar)
  expect(await read()).toMatchObject({ facts: [{ id: 'nest' }], isPartial: true })
  expect(given.bytes).toBeLessThan(50_000_000)
})

test('of what a jar says only so much is kept', async () => {
  const names = Array.from({ length: 250 }, (_, at) => `library-${at}-${'x'.repeat(150)}`)
  const greedy = { name: 'Greedy', version: '1', depends: names, provides: names }
  const { read } = hostOf(await pluginJar(greedy))
  const reading = await read()
  expect(reading).toMatchObject({ facts: [{ id: 'Greedy', needs: [], provides: [] }], isPartial: true })
  expect(JSON.stringify(reading.facts).length).toBeLessThan(32 * 1024)
})
