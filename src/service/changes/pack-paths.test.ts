import { expect, it } from 'vitest'
import { addressForPlayers } from './packs/pack-index.ts'
import { mayBring, packPath, sameName } from './pack-paths.ts'

it.each([
  ...['ops.json', 'ops.txt', 'whitelist.json', 'white-list.txt', 'banned-players.json', 'banned-ips.txt'],
  ...['usercache.json', 'eula.txt', 'server.properties', 'user_jvm_args.txt', 'variables.txt'],
  ...['session.lock', 'world/session.lock', 'permissions.yml', 'spigot.yml', 'forwarding.secret'],
  ...['start.sh', 'run.bat', 'a.cmd', 'a.command', 'a.ps1', 'a.exe', 'a.dll', 'a.so', 'a.so.1', 'a.dylib'],
  ...['server.jar', 'config/a.jar', 'config/natives/a.dll', 'mods/start.sh'],
  ...['libraries/a', 'versions/1.20.4/server-1.20.4.jar', 'cache/a', 'logs/latest.log', '.fabric/server/a'],
  ...['fabric-server-launcher.properties', 'quilt-server-launcher.properties'],
  // Below such a name.
  ...['ops.json/x', 'eula.txt/a/b', 'server.properties/x'],
  // As other systems read the name.
  ...['OPS.JSON', 'Eula.TXT', 'opſ.json', 'LIBRARIES/a', 'whiteli\u017ft.json', 'ban\u200bned-ips.json'],
  ...['\uff4fps.json', 'uſer_jvm_args.txt', 'OPS~1.JSO', 'LIBRAR~1/a.jar', 'START.SH', 'mods/a.EXE'],
  // What folds to a name that leads elsewhere.
  ...['config/\u2025/a', 'ops.json\u200b/x', 'config/a\uff0fb', 'ops.json\u3000'],
])('a pack may not bring %j', (path) => {
  expect(mayBring(path)).toBe(false)
})

it.each([
  ...['mods/sodium.jar', 'mods/1.12.2/a.jar', 'plugins/a.jar', 'coremods/a.jar', 'mods/a.jar.disabled'],
  ...['config/a.toml', 'config/ops.json', 'config/server.properties', 'defaultconfigs/forge.toml'],
  ...['kubejs/server_scripts/a.js', 'scripts/a.zs', 'world/level.dat', 'world/datapacks/a.zip'],
  ...['server-icon.png', 'README.md', 'options.txt', 'datapacks/a.zip', 'config/ünïcode é/a.json'],
  ...['config/logs/a', 'config/opsx.json', 'opsy/a', 'my~backup.txt'],
])('a pack may bring %j', (path) => {
  expect(mayBring(packPath(path))).toBe(true)
})

it.each([
  ...[
    '../a',
    'a/../../b',
    '/a',
    'C:/a',
    'C:a',
    'C:\\a',
    '..\\a',
    'a\\..\\..\\b',
    'a/./b',
    'a//b',
    'a/',
    '',
    '.',
  ],
  ...['eula.txt:x', 'eula.txt::$DATA', 'config/a:b', 'a?b', 'a*', 'a|b', 'a<b', 'a"b'],
  ...['ops.json.', 'ops.json ', 'config/a./b', 'config. /a', 'con', 'mods/NUL.jar', 'com1.txt', 'lpt¹'],
  ...['a\u0000b', 'a\nb', 'a\u007f', '\ud800', 'x'.repeat(256), 'a/'.repeat(20) + 'a', 'a/'.repeat(300)],
])('%j is no path of a pack', (path) => {
  expect(() => packPath(path)).toThrow(expect.objectContaining({ code: 'modpacks.unsafe' }))
})

it.each([
  ['mods\\a.jar', 'mods/a.jar'],
  ['config\\sub/a\\b.toml', 'config/sub/a/b.toml'],
])('%j, as it is written on Windows, is the path %j', (path, right) => {
  expect(packPath(path)).toBe(right)
})

it.each([
  ['mods/a.jar', 'Mods/A.JAR'],
  ['config/é', 'config/e\u0301'],
  ['config/\u212a', 'config/k'],
  ['config/ſ', 'config/S'],
])('%j and %j are the same file on some systems', (one, other) => {
  expect(sameName(one)).toBe(sameName(other))
})

it.each([
  [
    'https://cdn.modrinth.com/data/A/versions/B/a%20b.jar',
    'https://cdn.modrinth.com/data/A/versions/B/a%20b.jar',
  ],
  // A private file's address lets in whoever has it.
  [
    'https://raw.githubusercontent.com/a/b/main/c.jar?token=SECRET#x',
    'https://raw.githubusercontent.com/a/b/main/c.jar',
  ],
  ['http://10.0.0.5/modrinth/a.jar', null],
  ['https://me:secret@github.com/a.jar', null],
])('players are told of %j as %j', (address, told) => {
  expect(addressForPlayers(address)).toBe(told)
})
