import { expect, it } from 'vitest'
import { levelDat } from '../../../../../tests/fixtures/moved-server.ts'
import { findServerFolder } from './find-server.ts'
import { filesOf } from './recognize.fixture.ts'

const found = async (entries: Record<string, string | Buffer>) =>
  findServerFolder(await filesOf(entries), new AbortController().signal)

/** As Mojang's program for Windows has it, and as one in a container keeps it. */
const BEDROCK = {
  ...{ 'bedrock_server.exe': 'MZ', 'allowlist.json': '[]' },
  'server.properties': 'server-name=Dedicated\ngamemode=survival\nallow-cheats=false\n',
  'worlds/Bedrock level/level.dat': 'no world of Java',
}
const within = (folder: string, entries: Record<string, string | Buffer>) =>
  Object.fromEntries(Object.entries(entries).map(([name, content]) => [`${folder}/${name}`, content]))

it.each([
  ['Windows', '', BEDROCK],
  ['Windows, some folders deep', 'home/server', within('home/server', BEDROCK)],
  ['Linux', '', { bedrock_server: '', 'server.properties': '' }],
  ['a container', 'data', within('data', { 'bedrock_server-1.21.50.07': '', 'permissions.json': '[]' })],
  ['known packs alone', '', { 'valid_known_packs.json': '[]', 'worlds/Level/level.dat': '' }],
  ['settings alone', '', { 'server.properties': 'server-portv6=19133\ntick-distance=4\n' }],
  ['PocketMine', 'pm', within('pm', { 'PocketMine-MP.phar': '', 'server.properties': '' })],
  ['Nukkit', '', { 'nukkit.jar': 'PK', 'nukkit.yml': '', 'server.properties': '' }],
  ['a world', '', { 'My World/level.dat': '', 'My World/levelname.txt': 'x', 'My World/db/CURRENT': '' }],
  ['a world by itself', '', { 'level.dat': '', 'db/CURRENT': '' }],
])('the Bedrock Edition is recognized: %s', async (_, path, entries) => {
  expect(await found(entries)).toEqual({ path, isBedrock: true })
})

it.each([
  [
    'beside a Bedrock server',
    'java',
    { ...within('bedrock', BEDROCK), ...within('java', { 'paper.jar': '' }) },
  ],
  ['below a Bedrock world', 'deep/java', { 'b/level.dat': '', 'b/db/X': '', 'deep/java/eula.txt': '' }],
  ['beside a Bedrock world', '', { 'b/level.dat': '', 'b/db/X': '', 'w/level.dat': levelDat('1.21') }],
  ['with a key of Bedrock', '', { 'server.properties': 'allow-cheats=true\nmotd=x\n' }],
  ['with the program of Bedrock', '', { bedrock_server: '', 'server.properties': '', 'paper.jar': '' }],
])('a Java server %s is none of the Bedrock Edition', async (_, path, entries) => {
  expect(await found(entries)).toEqual({ path, isBedrock: false })
})
