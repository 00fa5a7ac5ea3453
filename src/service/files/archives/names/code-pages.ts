import { NAME_ENCODINGS, type NameEncoding } from '../../../../contract/rules/names.ts'

export interface CodePage {
  id: NameEncoding
  decode: (raw: Buffer) => string | null
  /** Likelihood that the bytes are names in this encoding. */
  score: (raw: Buffer) => number
}

/** Upper halves of code pages that `TextDecoder` lacks or gets wrong: Node reads windows-1252 as Latin-1. */
const UPPER: Partial<Record<NameEncoding, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  'windows-1252': `€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ${Array.from({ length: 96 }, (_, at) => String.fromCharCode(0xa0 + at)).join('')}`,
}

/** Byte patterns: `rare` counts neither way, `common` tells apart encodings that use the same bytes. */
const WIDE: Partial<Record<NameEncoding, { usual: string; rare: string; common: string }>> = {
  gbk: {
    usual: '[\\xb0-\\xd7][\\xa1-\\xfe]|[\\xa1\\xa3][\\xa1-\\xfe]',
    rare: '[\\xd8-\\xf7][\\xa1-\\xfe]',
    common:
      '的一不在人有是中国大地图服务器世界配置插件备份存档新建文件夹说明公告玩家领地主城生生存创造模组整合包材质测试使用教程版本更新数据名字',
  },
  big5: {
    usual: '[\\xa4-\\xc6][\\x40-\\x7e\\xa1-\\xfe]|\\xa1[\\x40-\\x7e\\xa1-\\xfe]',
    rare: '[\\xc9-\\xf9][\\x40-\\x7e\\xa1-\\xfe]',
    common:
      '的一不在人有是中國大地圖伺服器世界設定插件備份存檔新增資料夾說明公告玩家領地主城生存創造模組整合包材質測試使用教學版本更新名字文件檔案',
  },
  shift_jis: {
    usual:
      '\\x82[\\x9f-\\xf1]|\\x83[\\x40-\\x96]|\\x81[\\x5b\\x69\\x6a\\x75\\x76\\x79\\x7a]|[\\x88-\\x97][\\x40-\\x7e\\x80-\\xfc]',
    rare: '[\\x81\\x82\\x98-\\x9f\\xe0-\\xea][\\x40-\\x7e\\x80-\\xfc]',
    common: 'のサーバワルドプラグイン設定新しいフォルダファ説明読世界',
  },
  'euc-kr': {
    usual: '[\\xb0-\\xc8][\\xa1-\\xfe]',
    rare: '[\\xa1-\\xa8\\xca-\\xfd][\\xa1-\\xfe]',
    common:
      '서버월드맵플러그인설정백업새폴더파일이가은는을를로의에한글사용설명공지유저자료데터건축야생마을관리지역정보복본번전리스트경제권한력상점메뉴규칙',
  },
}

/** In order of preference for ties. The zip format's default comes first. */
const pages: readonly CodePage[] = NAME_ENCODINGS.map((id) => {
  const wide = WIDE[id]
  const upper = UPPER[id]
  const decode = upper === undefined ? decoderOf(id) : decoderBy(upper)
  return { id, decode, score: wide ? wideScore(decode, wide) : (raw) => lettersScore(decode(raw)) }
})

export const codePage = (id: NameEncoding): CodePage => pages.find((page) => page.id === id)!

export function likeliestPage(names: readonly Buffer[]): CodePage {
  let [best, most] = [pages[0]!, 0]
  for (const page of pages) {
    const score = names.reduce((sum, raw) => sum + page.score(raw), 0)
    if (score > most) [best, most] = [page, score]
  }
  return best
}

function decoderOf(id: NameEncoding): CodePage['decode'] {
  const decoder = new TextDecoder(id === 'cp866' ? 'ibm866' : id, { fatal: true, ignoreBOM: true })
  return (raw) => {
    try {
      return decoder.decode(raw)
    } catch {
      return null
    }
  }
}

function decoderBy(upper: string): CodePage['decode'] {
  return (raw) =>
    raw.toString('latin1').replaceAll(/[\x80-\xff]/g, (byte) => upper[byte.charCodeAt(0) - 0x80]!)
}

function wideScore(
  decode: CodePage['decode'],
  { usual, rare, common }: { usual: string; rare: string; common: string },
): CodePage['score'] {
  const letters = new RegExp(`(${usual})|(${rare})|[\\x80-\\xff][^]?`, 'g')
  const frequent = new RegExp(`[${common}]`, 'g')
  return (raw) => {
    const text = decode(raw)
    if (text === null) return -2 * raw.length
    let score = text.match(frequent)?.length ?? 0
    for (const [bytes, isUsual, isRare] of raw.toString('latin1').matchAll(letters))
      score += isUsual ? bytes.length : isRare ? 0 : -2 * bytes.length
    // A Latin letter next to a wide one is more likely part of an accented word.
    return score - 2 * (text.match(/[a-z][\u0080-\uffff]|[\u0080-\uffff][a-z]/g)?.length ?? 0)
  }
}

/** For single-byte encodings: words of one script, capitalized at most at the start or throughout. */
function lettersScore(text: string | null): number {
  let score = 0
  for (const [part] of (text ?? '').matchAll(/[\p{Lu}\p{Ll}]+|[\u0080-\uffff]/gu)) {
    const foreign = part.match(/[\u0080-\uffff]/g)?.length ?? 0
    if (foreign === 0 || /^[°²³ªº¿¡«»·§№þÞðÐ]$/.test(part)) continue
    const isCyrillic = /^\p{Script=Cyrillic}+$/u.test(part)
    const isWord = isCyrillic || /^[[\p{Script=Latin}&&[\p{Lu}\p{Ll}]]--[ƒÿŸ]]+$/v.test(part)
    const isOdd = /\p{Ll}(?=[\u0080-\uffff])\p{Lu}|[\u0080-\uffff](?<=\p{Ll})\p{Lu}/u.test(part)
    if (!isWord || isOdd) score -= 2 * foreign
    // No language has words of accented letters only.
    else if (isCyrillic || part.length === 1 || foreign < part.length)
      score += foreign - (part.match(/[þÞðÐ]/g)?.length ?? 0)
  }
  return score
}
