import { expect, test } from 'vitest'
import { OnlinePlayers } from './online-players.ts'

const told = (...names: string[]) => names.map((name) => ({ name, uuid: null }))

test('who left while the protocol did not say so is gone when it is', () => {
  const online = new OnlinePlayers(20)
  online.told(told('Ann', 'Ben', 'Cid', 'Dan'))
  online.heard({ kind: 'left', name: 'Ann' })
  online.heard({ kind: 'left', name: 'Ben' })
  online.heard({ kind: 'joined', name: 'Ben' })
  // Both say it, the output a moment earlier.
  online.heard({ kind: 'left', name: 'Cid' })
  online.toldOne('left', { name: 'Cid', uuid: null })
  online.toldOne('joined', { name: 'Cid', uuid: null })
  expect(online.all.names).toEqual(['Ann', 'Ben', 'Dan', 'Cid'])
  const news: unknown[] = []
  let changes = 0
  online.news.on((one) => news.push(one))
  online.changed.on(() => (changes += 1))
  online.untold()
  expect(online.all.names).toEqual(['Ben', 'Dan', 'Cid'])
  expect([news, changes]).toEqual([[{ kind: 'left', name: 'Ann' }], 1])
})

test('the protocol that names somebody anew knows better than what was heard before', () => {
  const online = new OnlinePlayers(20)
  online.told(told('Ann'))
  online.heard({ kind: 'left', name: 'Ann' })
  online.told(told('Ann'))
  online.untold()
  expect(online.all.names).toEqual(['Ann'])
})

test('a join reported twice counts once, and a player who was never on cannot leave', () => {
  const online = new OnlinePlayers(20)
  const news: unknown[] = []
  online.news.on((one) => news.push(one))
  online.heard({ kind: 'left', name: 'Ben' })
  online.heard({ kind: 'joined', name: 'Ann', from: '203.0.113.5' })
  online.heard({ kind: 'joined', name: 'Ann' })
  online.heard({ kind: 'left', name: 'Ann' })
  online.heard({ kind: 'left', name: 'Ann' })
  expect(news).toEqual([
    { kind: 'from', from: '203.0.113.5' },
    { kind: 'joined', name: 'Ann' },
    { kind: 'left', name: 'Ann' },
  ])
})
