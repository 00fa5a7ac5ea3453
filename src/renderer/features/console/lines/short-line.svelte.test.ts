import { expect, it } from 'vitest'
import { shortLine } from './line-text.ts'

it.each([
  ['[05:52:42 INFO]: Starting minecraft server', undefined, 'Starting minecraft server', null],
  ['[05:52:42] [Server thread/WARN]: Can\u2019t keep up!', undefined, 'Can\u2019t keep up!', 'warn'],
  ['[05:52:42 ERROR]: It broke', undefined, 'It broke', 'error'],
  ['[05:52:42 INFO]: <Ann> [x/ERROR]: hi', undefined, '<Ann> [x/ERROR]: hi', null],
  ['\tat example.Shop.onEnable', undefined, '    at example.Shop.onEnable', null],
  ['Unrecognized option', 'error', 'Unrecognized option', 'error'],
  ['say [05:52:42 INFO]: hi', 'command', '> say [05:52:42 INFO]: hi', null],
] as const)('%s is shown as what it says, and how bad that is', (text, source, said, level) => {
  expect(shortLine(text, source)).toEqual({ text: said, level })
})
