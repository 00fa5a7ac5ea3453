import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { JarReader } from './jar-reader.ts'

/** The first letter of a server's id is its account. */
async function openReader() {
  const root = await temporaryFolder()
  const reader = new JarReader((serverId) => serverId[0]!)
  onTestFinished(() => reader.close())
  const read: string[] = []
  return {
    read,
    async ask(serverId: string, name: string) {
      await writeFile(path.join(root, `${name}.jar`), await pluginJar({ name, version: '1' }))
      return async () => {
        const { facts } = (await reader.read({ serverId, root, staging: root, trash: root }, `${name}.jar`))!
        read.push(facts![0]!.name)
      }
    },
  }
}

it("an account with many jars on several servers doesn't hold up another account", async () => {
  const { read, ask } = await openReader()
  const many = Array.from({ length: 20 }, (_, at) => ask(`a${at % 3}`, `Many${at}`))
  const all = await Promise.all([...many, ask('b', 'Other')])
  await Promise.all(all.map((one) => one()))
  expect(read.slice(0, 2)).toEqual(['Many0', 'Other'])
  expect(read).toHaveLength(21)
})

it('jars of an account are read in order', async () => {
  const { read, ask } = await openReader()
  const all = await Promise.all(['One', 'Two', 'Three'].map((name) => ask('a', name)))
  await Promise.all(all.map((one) => one()))
  expect(read).toEqual(['One', 'Two', 'Three'])
})
