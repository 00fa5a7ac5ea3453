import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { NAME_ENCODINGS, type NameEncoding } from '../../../../contract/rules/names.ts'
import { codePage, likeliestPage } from './code-pages.ts'

/** What the C library calls them. */
const ICONV: Record<NameEncoding, string> = {
  ...{ cp437: 'CP437', cp850: 'CP850', 'windows-1252': 'CP1252', cp852: 'CP852', gbk: 'GBK' },
  ...{ big5: 'BIG5', shift_jis: 'CP932', 'euc-kr': 'UHC', cp866: 'CP866', 'windows-1251': 'CP1251' },
}
const iconv = (from: string, to: string, input: Buffer | string) =>
  spawnSync('iconv', ['-f', from, '-t', to], { input })
const hasIconv = iconv('CP437', 'UTF-8', 'a').status === 0

test.skipIf(!hasIconv).for(NAME_ENCODINGS)('each byte of %s is read as the C library reads it', (id) => {
  for (let byte = 0x80; byte < 0x100; byte++) {
    const raw = Buffer.from([byte])
    const { status, stdout } = iconv(ICONV[id], 'UTF-8', raw)
    if (status === 0) expect([byte, codePage(id).decode(raw)]).toEqual([byte, stdout.toString()])
  }
})

/** Names as people write them, in the encoding that they are written in by the programs of their country. */
const NAMES: Partial<Record<NameEncoding, string[]>> = {
  cp437: ['Welt-Müller/level.dat', 'Größe.txt', 'café.txt', 'Año/España.txt', 'Straße.txt', 'ä.txt'],
  cp850: ['São Paulo/ação.txt', 'Kjøbenhavn/smørrebrød.txt', 'Configurações.yml', 'BLÅBÆR Ø.txt'],
  'windows-1252': ['Jürgen.txt', 'café.txt', 'São Paulo/ação.txt', 'España/Año.txt', 'garçon.txt'],
  cp852: ['Świat/łąka.dat', 'Wtyczki/użytkownicy.yml', 'Új mappa/tűzkő.txt'],
  gbk: ['服务器/配置.yml', '新建文件夹/说明.txt', '插件/领地.jar', '红石.txt', '权限组.yml', '主城'],
  big5: ['伺服器/設定.yml', '新增資料夾/說明.txt', '地圖備份.zip', '公告.yml'],
  shift_jis: ['サーバー/設定.yml', '表/ソ.txt', '新しいフォルダー/能力.txt', '建築/家.schem'],
  'euc-kr': ['서버/설정.yml', '새 폴더/사용설명.txt', '뮤탈리스크.txt', '관리자.json'],
  cp866: ['Сервер/настройки.yml', 'Мир/level.dat', 'Новая папка (2)', 'ПРОЧТИ меня.txt'],
  'windows-1251': ['Сервер/настройки.yml', 'Мир/level.dat', 'Описание мода.txt'],
}
const cases = Object.entries(NAMES).flatMap(([id, names]) =>
  names.map((name) => [id as NameEncoding, name] as const),
)

test.skipIf(!hasIconv).for(cases)('%s is guessed from the name %s alone', ([id, name]) => {
  const { status, stdout: raw } = iconv('UTF-8', ICONV[id], name)
  expect(status).toBe(0)
  expect(likeliestPage([raw]).decode(raw)).toBe(name)
})

test('what looks like no language is read as the zip format says', () => {
  expect(likeliestPage([Buffer.from([0xb1])]).id).toBe('cp437')
  expect(likeliestPage([]).id).toBe('cp437')
})

test('bytes that are none of an encoding are no name in it', () => {
  expect(codePage('gbk').decode(Buffer.from([0x81]))).toBeNull()
  expect(codePage('shift_jis').decode(Buffer.from([0x83, 0x5c, 0xa0]))).toBeNull()
  expect(codePage('cp437').decode(Buffer.from([0x81]))).toBe('ü')
})
