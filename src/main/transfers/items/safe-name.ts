import { nameFault } from '../../../contract/rules/names.ts'
import { faultHere } from './local-names.ts'

/** Invisible characters and direction marks: `gpj.exe` can be made to read as `exe.jpg`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
// eslint-disable-next-line no-control-regex -- control characters are among what is replaced
const UNFIT = /[<>:"|?*/\\\u0000-\u001f\u007f]/g
const FALLBACK = 'download'

/** A local file name suggested for a service's name: valid on every system, no path, no disguise. */
export function safeName(name: string): string {
  const plain = name
    .replaceAll(UNSEEN, '')
    .replaceAll(UNFIT, '_')
    .trim()
    .replaceAll(/[. ]+$/g, '')
  let fits = nameFault(plain, ['device']) === 'device' ? `_${plain}` : plain
  if (fits === '') fits = FALLBACK
  const letters = [...fits]
  while (faultHere(letters.join('')) === 'long') letters.splice(Math.floor(letters.length / 2), 1)
  return letters.join('')
}
