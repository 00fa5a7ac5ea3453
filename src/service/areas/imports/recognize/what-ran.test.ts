import { expect, it } from 'vitest'
import { levelDat, zipOf } from '../../../../../tests/fixtures/moved-server.ts'
import { ran } from './recognize.fixture.ts'

/** A jar as Paper's launcher is, of this version of Minecraft. */
const paper = (version: string) =>
  zipOf({
    'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\r\nMain-Class: io.papermc.paperclip.Main\r\n',
    'io/papermc/paperclip/Main.class': Buffer.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61]),
    'META-INF/versions.list': `${'0'.repeat(64)}\t${version}\t${version}/paper-${version}.jar\n`,
  })
const log = (version: string) => ({
  'logs/latest.log': `[12:00:00] [Server thread/INFO]: Starting minecraft server version ${version}\n`,
})
const history = (version: string) => ({
  'version_history.json': `{"currentVersion":"git-Paper-499 (MC: ${version})"}`,
})
const two = async () => ({
  'paper-1.19.4-550.jar': await paper('1.19.4'),
  'paper-1.20.4-499.jar': await paper('1.20.4'),
})
/** What is proposed: the software with its version, and the jar. */
const proposed = async (entries: Record<string, string | Buffer>) => {
  const { software, jar } = await ran({ 'server.properties': '', ...entries })
  return [software?.id, software?.version, jar?.name]
}

it.each([
  ['a variable', 'start.sh', 'JAR="paper-1.20.4-499.jar"\njava -Xmx4G -jar $JAR nogui\n'],
  [
    'a variable in braces and quotes',
    'start.sh',
    'export JAR=\'paper-1.20.4-499.jar\'; exec java -jar "${JAR}"\n',
  ],
  ['a variable made of others', 'run.sh', 'V=1.20.4\nB=499\nJAR=paper-$V-${B}.jar\njava -jar $JAR\n'],
  ['a default in the variable', 'run.sh', 'java -jar "${JAR:-paper-1.20.4-499.jar}" nogui\n'],
  ['an absolute path', 'start.sh', 'java -jar /home/mc/server/paper-1.20.4-499.jar\n'],
  ['the folder of the script', 'start.sh', 'java -jar "$(dirname "$0")/paper-1.20.4-499.jar" nogui\n'],
  ['another line', 'start.sh', 'java -Xms1G \\\n  -Xmx4G \\\r\n  -jar \\\n  ./paper-1.20.4-499.jar\n'],
  [
    'a value that was set anew',
    'start.sh',
    'JAR=paper-1.19.4-550.jar\nJAR=paper-1.20.4-499.jar\njava -jar $JAR\n',
  ],
  [
    'a variable of Windows',
    'start.bat',
    '@echo off\r\nset "JAR=paper-1.20.4-499.jar"\r\njava -jar "%JAR%"\r\n',
  ],
  [
    'a variable and a caret',
    'run.cmd',
    'SET jar=paper-1.20.4-499.jar\r\njava -Xmx4G ^\r\n -jar %JAR% nogui\r\n',
  ],
  ['a drive', 'start.bat', 'java -jar "C:\\My Server\\paper-1.20.4-499.jar"\r\n'],
  ['the folder of a batch file', 'start.bat', 'cd /d %~dp0\r\njava -jar %~dp0paper-1.20.4-499.jar\r\n'],
  ['PowerShell', 'start.ps1', '$jar = "paper-1.20.4-499.jar"\r\n& java -jar $jar nogui\r\n'],
  ['a list of PowerShell', 'run.ps1', 'Start-Process java -ArgumentList "-jar","paper-1.20.4-499.jar"\r\n'],
  ['a file of arguments', 'start.sh', 'java @mine.txt nogui\n'],
  [
    'the folder that the script found out',
    'start.sh',
    'DIR="$( cd "$( dirname "${BASH_SOURCE[0]}" )" && pwd )"\njava -jar "$DIR/paper-1.20.4-499.jar"\n',
  ],
  ['backquotes', 'start.sh', 'DIR=`dirname $0`\njava -jar $DIR/paper-1.20.4-499.jar\n'],
  ['a default that is set', 'run.sh', ': ${JAR:=paper-1.20.4-499.jar}\njava -jar $JAR\n'],
  ['a default in quotes', 'run.sh', 'JAR=${1:-"paper-1.20.4-499.jar"}\njava -jar "$JAR" nogui\n'],
  ['a file of variables', 'start.sh', 'JAR=server.jar\nsource ./mine.cfg\njava -jar "$JAR" nogui\n'],
  ['a file of variables in quotes', 'run.sh', 'set -e; . "$(dirname "$0")/mine.cfg"\njava -jar ${JAR}\n'],
  ['a batch file of variables', 'start.bat', 'call "mine.cmd"\r\njava -jar %JAR%\r\n'],
  ['an array of PowerShell', 'run.ps1', '$a = @("-jar", "paper-1.20.4-499.jar", "nogui")\r\n& java $a'],
  [
    'a list without blanks',
    'run.ps1',
    'Start-Process java -ArgumentList "-jar","paper-1.20.4-499.jar","nogui"',
  ],
  ['a joined path', 'run.ps1', '$jar = Join-Path $PSScriptRoot "paper-1.20.4-499.jar"\njava -jar $jar'],
  ['a file of arguments in a folder', 'start.sh', 'java @args/all.txt nogui\n'],
  ['a unit of systemd', 'mc.service', '[Service]\nExecStart=/usr/bin/java -jar paper-1.20.4-499.jar\n'],
  ['a script without an ending', 'start', '#!/bin/sh\nexec java -jar paper-1.20.4-499.jar\n'],
  ['a session', 'start.sh', 'screen -dmS mc bash -c "java -jar paper-1.20.4-499.jar"\n'],
])(
  'the jar that a start script names in %s goes before a newer one that only lies there',
  async (_, name, text) => {
    const entries = {
      ...(await two()),
      'paper-1.21.10-9.jar': await paper('1.21.10'),
      'mine.txt': '-Xmx4G\n-jar paper-1.20.4-499.jar\n',
      'args/all.txt': '-jar paper-1.20.4-499.jar\n',
      'mine.cfg': 'JAR="paper-1.20.4-499.jar"\n',
      'mine.cmd': '@set JAR=paper-1.20.4-499.jar\r\n',
    }
    expect(await proposed({ ...entries, [name]: text })).toEqual(['paper', '1.20.4', 'paper-1.20.4-499.jar'])
  },
)

it.each([
  ['what only looks like a script', { 'start.txt': 'java -jar paper-1.19.4-550.jar' }],
  ['a comment', { 'start.sh': '# java -jar paper-1.19.4-550.jar\n' }],
  ['another folder', { 'start.sh': 'java -jar old/paper-1.19.4-550.jar\n' }],
  ['a file of another folder', { 'start.sh': 'java @../mine.txt\n' }],
  ['an unknown variable', { 'start.sh': 'java -jar $JAR\n' }],
  ['a variable of itself', { 'start.sh': 'JAR=$JAR$JAR\nJAR=$JAR$JAR\njava -jar $JAR\n' }],
])('a jar is not named by %s', async (_, script) => {
  expect(await proposed({ ...(await two()), ...script })).toEqual(['paper', '1.20.4', 'paper-1.20.4-499.jar'])
})

it('without a script, the log and the history tell which jar was run last, and else the newest by its numbers', async () => {
  const jars = {
    ...(await two()),
    'paper-1.9.jar': await paper('1.9'),
    'paper-1.21.10-1.jar': await paper('1.21.10'),
  }
  expect(await proposed(jars)).toEqual(['paper', '1.21.10', 'paper-1.21.10-1.jar'])
  expect(await proposed({ ...jars, ...log('1.20.4') })).toEqual(['paper', '1.20.4', 'paper-1.20.4-499.jar'])
  expect(await proposed({ ...jars, ...history('1.20.4') })).toEqual([
    'paper',
    '1.20.4',
    'paper-1.20.4-499.jar',
  ])
  const builds = {
    'paper-1.20.4-99.jar': await paper('1.20.4'),
    'paper-1.20.4-100.jar': await paper('1.20.4'),
  }
  expect((await proposed(builds))[2]).toBe('paper-1.20.4-100.jar')
})

it('software older than the world is not proposed where other software is there or was noted', async () => {
  const world = { 'world/level.dat': levelDat('1.20.4') }
  const stale = { 'start.sh': 'java -jar paper-1.19.4-550.jar\n' }
  expect(await proposed({ ...(await two()), ...world, ...stale })).toEqual([
    'paper',
    '1.20.4',
    'paper-1.20.4-499.jar',
  ])
  const old = { 'paper-1.19.4-550.jar': await paper('1.19.4') }
  expect(await proposed({ ...old, ...world })).toEqual(['paper', '1.20.4', 'paper-1.19.4-550.jar'])
  expect(await proposed({ ...old, ...history('1.20.4') })).toEqual([
    'paper',
    '1.20.4',
    'paper-1.19.4-550.jar',
  ])
})

const installs = (kind: string, ...versions: string[]) =>
  Object.fromEntries(versions.map((version) => [`libraries/net/${kind}/${version}/unix_args.txt`, '']))

it.each([
  ['forge', '1.21.10', installs('minecraftforge/forge', '1.21.9-59.0.5', '1.21.10-60.1.7')],
  ['neoforge', '1.21.10', installs('neoforged/neoforge', '21.9.5', '21.10.1')],
  [
    'neoforge',
    '1.21.9',
    {
      ...installs('neoforged/neoforge', '21.9.5', '21.10.1'),
      'run.sh': 'java @user_jvm_args.txt @libraries/net/neoforged/neoforge/21.9.5/unix_args.txt "$@"\n',
    },
  ],
  [
    'forge',
    '1.21.9',
    {
      ...installs('minecraftforge/forge', '1.21.9-59.0.5', '1.21.10-60.1.7'),
      'run.bat':
        'java @user_jvm_args.txt @libraries\\net\\minecraftforge\\forge\\1.21.9-59.0.5\\win_args.txt %*\r\n',
    },
  ],
  [
    'neoforge',
    '1.21.9',
    {
      ...installs('neoforged/neoforge', '21.9.5', '21.10.1'),
      'start.sh': 'NEO=21.9.5\njava @libraries/net/neoforged/neoforge/$NEO/unix_args.txt\n',
    },
  ],
  [
    'forge',
    '1.21.9',
    { ...installs('minecraftforge/forge', '1.21.9-59.0.5', '1.21.10-60.1.7'), ...log('1.21.9') },
  ],
  ['fabric', '1.20.10', { '.fabric/server/1.20.9-server.jar': '', '.fabric/server/1.20.10-server.jar': '' }],
] as const)(
  'of several %s installations %s is proposed: the one a script names, the log tells, or the newest',
  async (kind, version, entries) => {
    expect((await proposed(entries as Record<string, string>)).slice(0, 2)).toEqual([kind, version])
  },
)

it('a jar that a script names goes before an installation that is left over', async () => {
  const left = installs('minecraftforge/forge', '1.20.1-47.3.0')
  const script = { 'start.sh': 'java -jar paper-1.20.4-499.jar\n' }
  expect((await proposed({ ...left, ...(await two()), ...script })).slice(0, 2)).toEqual(['paper', '1.20.4'])
})

it('all jars that can be run are told, the proposed one first', async () => {
  const { jars } = await ran({
    'server.properties': '',
    ...(await two()),
    'notes.jar': 'no jar',
    ...log('1.19.4'),
  })
  expect(jars?.map(({ name, version }) => [name, version])).toEqual([
    ['paper-1.19.4-550.jar', '1.19.4'],
    ['paper-1.20.4-499.jar', '1.20.4'],
  ])
})
