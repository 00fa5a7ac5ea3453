import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { pluginJar } from '../../../tests/fixtures/extension-jar.ts'
import { inServer, trashed } from '../../extensions/folder/step.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { hostRefusal } from '../base/adapter.ts'
import { HostExtensions } from './host-extensions.ts'
import type { RemoteFolder } from './remote-folder.ts'
import { newTrash } from './remote-steps.ts'

const offline = () => Promise.reject(new Error('offline'))
const KEY = { key: 'k', signal: new AbortController().signal }

/** A host that gives a folder here; `refuses` says which moves it doesn't do. */
async function hostAt() {
  const [files, data] = [temporary(), temporary()]
  mkdirSync(path.join(files, 'plugins'))
  const jar = async (name: string) =>
    writeFile(path.join(files, 'plugins', `${name}.jar`), await pluginJar({ name, version: '1.0' }))
  const host = { refuses: (_from: string): boolean => false }
  const at = (one: string) => path.join(files, one)
  const folder: RemoteFolder = {
    list(one) {
      if (!existsSync(at(one))) return Promise.reject(hostRefusal(404, 'host.not-found'))
      const entries = readdirSync(at(one)).map((name) => {
        const { size, mtime } = statSync(path.join(at(one), name))
        return { name, kind: 'file' as const, size, modifiedAt: mtime.toISOString() }
      })
      return Promise.resolve(entries)
    },
    async read(one) {
      if (!existsSync(at(one))) throw hostRefusal(404, 'host.not-found')
      return { stream: Readable.from([await readFile(at(one))]), size: null }
    },
    readPart: () => Promise.resolve(null),
    upload: async (one, bytes) => writeFile(at(one), bytes),
    makeFolder: (one) => Promise.resolve(void mkdirSync(at(one), { recursive: true })),
    move(from, to) {
      if (host.refuses(from)) return Promise.reject(hostRefusal(503, 'host.node-away'))
      renameSync(at(from), at(to))
      return Promise.resolve({ path: from, outcome: 'done' })
    },
    remove(one) {
      rmSync(at(one))
      return Promise.resolve({ path: one, outcome: 'done' })
    },
  }
  const open = () =>
    new HostExtensions(
      { folder: data, catalogs: null, dispatcher: { request: offline, dial: offline } },
      { folder: () => folder, run: () => Promise.resolve({ isRunning: false, log: '' }) },
    )
  const plugins = () => readdirSync(at('plugins')).sort()
  return { host, jar, open, plugins, data }
}

test('a change of which a part is refused is reverted whole', async () => {
  const { host, jar, open, plugins } = await hostAt()
  await jar('One')
  await jar('Two')
  const of = await open().of('s', KEY)
  const [one, two] = await of.list()
  host.refuses = (from) => from.includes('Two')
  const steps = [one!, two!].map(({ jar: { path: at, mark, size } }) => ({
    ...{ from: inServer(at), to: trashed(newTrash()), mark, size },
  }))
  await expect(of.commit(() => ({ items: [], steps }))).rejects.toMatchObject({ status: 503 })
  expect(plugins()).toEqual(['One.jar', 'Two.jar'])
  expect(of.record.state).toMatchObject({ last: null, pending: null })
})

test('a change that a lost line left half done is reverted before the next one, also by another run', async () => {
  const { host, jar, open, plugins } = await hostAt()
  await jar('One')
  await jar('Two')
  const of = await open().of('s', KEY)
  const [one, two] = await of.list()
  let isLost = false
  host.refuses = (from) => (isLost ||= from.includes('Two'))
  const steps = [one!, two!].map(({ jar: { path: at, mark, size } }) => ({
    ...{ from: inServer(at), to: trashed(newTrash()), mark, size },
  }))
  await expect(of.commit(() => ({ items: [], steps }))).rejects.toMatchObject({ status: 503 })
  expect(plugins()).toEqual(['Two.jar'])
  host.refuses = () => false
  const again = await open().of('s', KEY)
  expect(again.record.state.pending).not.toBe(null)
  await again.commit(() => ({ items: [], steps: [] }))
  expect(plugins()).toEqual(['One.jar', 'Two.jar'])
  expect(again.record.state.pending).toBe(null)
})

test('what is known of jars outlives the panel, and a record that cannot be read is begun anew', async () => {
  const { jar, open, data } = await hostAt()
  await jar('One')
  await (await open().of('s', KEY)).list()
  const file = path.join(
    data,
    readdirSync(data).find((name) => name.endsWith('.json'))!,
  )
  const again = await open().of('s', KEY)
  expect([...again.record.known.values()]).toMatchObject([{ facts: [{ id: 'One' }] }])
  await writeFile(file, '{"known":[')
  const anew = await open().of('s', KEY)
  expect(anew.record.known.size).toBe(0)
  expect(await anew.list()).toMatchObject([{ facts: { name: 'One' } }])
})
