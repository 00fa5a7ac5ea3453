import { expect, it } from 'vitest'
import { estimateStrength } from './estimate-strength.ts'

const EASY = [
  'wrong wrong wrong',
  'wrongwrongwrong',
  'password password',
  'Password 2024',
  'P@ssw0rd2024',
  'Passwort2024!',
  'qwertyuiop',
  'qwerty qwerty',
  'qwe123qwe123',
  'asdfghjkl123',
  'aaaaaaaaaaaa',
  '2024-11-29-2024',
  'iloveyou1234',
  'dragonball99',
  'football football',
  'monkey monkey dragon',
  'blue blue green green',
  'falsch-falsch-falsch',
  'Sommer2024!!',
  'Fußball2024!',
  'Hallo12345!!',
  'Minecraft2024!',
  'server server server',
  'Obermeier1995!',
]
const MIDDLING = ['minecraft-server-2025', 'correct horse', 'Bluebird2024!']
const HARD = [
  'xK4mRp9wQz',
  'vT9#kQ2!xLr7',
  'j7Gd-p2Qx-9rTw',
  '83719-40265-91',
  'tomato bicycle lantern',
  'correct horse battery staple',
  'seven otters like cold tea on Mondays',
  'Ostereier im Keller gezählt',
]
const own = ['Maximiliane Obermeier', 'max@mail.example']

it.each(EASY)('%s is easy to guess', (password) => {
  expect(estimateStrength(password, own)).toBeLessThanOrEqual(1)
})

it.each(MIDDLING)('%s is not that hard to guess', (password) => {
  expect(estimateStrength(password, own)).toBe(2)
})

it.each(HARD)('%s is hard to guess', (password) => {
  expect(estimateStrength(password, own)).toBeGreaterThanOrEqual(3)
})

it('takes no longer for what is longer', () => {
  expect(estimateStrength('seven otters '.repeat(10_000), own)).toBeLessThanOrEqual(2)
})
