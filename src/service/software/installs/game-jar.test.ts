import { createWriteStream, writeFileSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { ODD_ENTRIES, rawZip } from '../../../../tests/fixtures/raw-zip.ts'
import { temporary } from '../../../host/temporary.fixture.ts'
import { wantedGame } from './game-jar.ts'

const HASH = 'a'.repeat(64)

async function jarWith(entries: Record<string, string>): Promise<string> {
  const file = path.join(temporary(), 'any.jar')
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  await finished(zip.outputStream.pipe(createWriteStream(file)))
  return file
}

it.each([
  [
    "Paper's launcher",
    { 'META-INF/download-context': `${HASH}\thttps://a.example/server.jar\tmojang_1.21.4.jar\n` },
    { version: '1.21.4', at: 'cache/mojang_1.21.4.jar', sha256: HASH, isPatched: true },
  ],
  [
    "Paper's launcher up to 1.17",
    {
      'patch.properties': `originalHash=${HASH.toUpperCase()}\npatch=paperMC.patch\nsourceUrl=https\\://a.example\nversion=1.16.5\n`,
    },
    { version: '1.21.4', at: 'cache/mojang_1.16.5.jar', sha256: HASH, isPatched: true },
  ],
  [
    "Fabric's launcher",
    { 'install.properties': 'fabric-loader-version=0.16.9\ngame-version=1.21.4\n' },
    { version: '1.21.4', at: '.fabric/server/1.21.4-server.jar', sha256: null, isPatched: false },
  ],
])('%s says which copy of the game it looks for', async (_, entries, wanted) => {
  expect(await wantedGame(await jarWith(entries), '1.21.4')).toEqual(wanted)
})

it.each([
  ['a path', { 'META-INF/download-context': `${HASH}\thttps://a.example/\t../../evil.jar` }],
  ['no hash', { 'META-INF/download-context': 'abc\thttps://a.example/\tmojang.jar' }],
  ['too little', { 'META-INF/download-context': HASH }],
  ['a path as the version', { 'install.properties': 'game-version=../../../evil' }],
  ['a path in the older form', { 'patch.properties': `originalHash=${HASH}\nversion=../../evil\n` }],
  ['nothing', { 'some.txt': '' }],
])('of a jar that names %s nothing is put anywhere', async (_, entries) => {
  expect(await wantedGame(await jarWith(entries), '1.21.4')).toBeNull()
})

it('a jar says it whatever other entries in it are called', async () => {
  const file = path.join(temporary(), 'any.jar')
  writeFileSync(
    file,
    rawZip([...ODD_ENTRIES, { name: 'install.properties', content: 'game-version=1.21.4' }]),
  )
  expect(await wantedGame(file, '1.21.4')).toMatchObject({ version: '1.21.4' })
})
