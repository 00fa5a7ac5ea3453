import { describe, expect, it } from 'vitest'
import { loadReader } from '../../editor/tree/model/read-tree.ts'
import { isAddress, valuesIn, type Value, withValues } from './velocity-text.ts'

const read = await loadReader('toml')
const changed = (text: string, changes: Record<string, Value | null>) =>
  withValues(text, read, new Map(Object.entries(changes)))
const values = (text: string) => {
  const found = read(text)
  if (!found.ok) throw new Error('It cannot be read.')
  return Object.fromEntries(valuesIn(found.tree))
}

const whole = `# mine
bind = "0.0.0.0:25577"   # where
player-info-forwarding-mode = "NONE"

[servers]
# the first
lobby = "127.0.0.1:30066" # old
games = '127.0.0.1:30067'
try = [
  "lobby", # always up
  "games",
]

[forced-hosts]
"games.example.com" = ["games"]

[advanced]
compression-threshold = 256
`

describe('the servers of a proxy', () => {
  it('are read with their order, the hosts of their own and how players are told of', () => {
    expect(values(whole)).toEqual({
      mode: 'none',
      'server lobby': '127.0.0.1:30066',
      'server games': '127.0.0.1:30067',
      try: ['lobby', 'games'],
      'host games.example.com': ['games'],
    })
    expect(values('[servers]\ntry = "a"\n')).toEqual({ mode: 'none', try: ['a'] })
    expect(values('')).toEqual({ mode: 'none', try: [] })
  })

  it('are written so that every other byte of the file stays', () => {
    const after = changed(whole, {
      mode: 'modern',
      'server lobby': '10.0.0.1:1',
      'server build': '127.0.0.1:30068',
      try: ['games', 'lobby', 'build'],
      'host build.example.com': ['build', 'lobby'],
    })
    expect(after).toBe(`# mine
bind = "0.0.0.0:25577"   # where
player-info-forwarding-mode = "modern"

[servers]
# the first
lobby = "10.0.0.1:1" # old
games = '127.0.0.1:30067'
try = [
  "games",
  "lobby", # always up
  "build",
]
build = "127.0.0.1:30068"

[forced-hosts]
"games.example.com" = ["games"]
"build.example.com" = ["build", "lobby"]

[advanced]
compression-threshold = 256
`)
  })

  it('go together with what names them', () => {
    const after = changed(whole, {
      'server games': null,
      try: ['lobby'],
      'host games.example.com': null,
    })!
    expect(values(after)).toEqual({ mode: 'none', 'server lobby': '127.0.0.1:30066', try: ['lobby'] })
    expect(after).toContain('[advanced]\ncompression-threshold = 256\n')
  })

  it('get tables where the file has none, with its own ends of lines', () => {
    const after = changed('bind = "0.0.0.0:1"\r\n', { 'server a b': 'x:1', try: ['a b'], 'host h': ['a b'] })
    expect(after).toMatch(/^bind = "0\.0\.0\.0:1"\r\n\r\n\[servers\]\r\n/)
    expect(after?.replaceAll('\r\n', '')).not.toContain('\n')
    expect(values(after!)).toEqual({ mode: 'none', 'server a b': 'x:1', try: ['a b'], 'host h': ['a b'] })
  })

  it('stay untouched where the file is damaged', () => {
    expect(changed('bind = \n[', { try: [] })).toBeNull()
  })
})

describe('an address', () => {
  it('is a host with a port or without', () => {
    for (const good of [
      '127.0.0.1:25566',
      'lobby.example.com',
      '[::1]:25565',
      'localhost:1',
      '4lobby:1',
      'a-b.c.',
    ])
      expect(isAddress(good), good).toBe(true)
    for (const bad of ['', 'a b', 'http://x', 'x:0', 'x:70000', '::1', 'x:y', 'a/b'])
      expect(isAddress(bad), bad).toBe(false)
  })

  it('is none where Velocity would not start with its host', () => {
    const bad = [
      'my_server:25566',
      'a%b',
      'a..b',
      '-a',
      'a-:1',
      'a.1b',
      '1.2.3',
      '256.1.1.1',
      '[:::]',
      '[1:2]:3',
      'ö.de',
    ]
    for (const one of bad) expect(isAddress(one), one).toBe(false)
  })
})
