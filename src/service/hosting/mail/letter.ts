import { asOneLine } from '../../../contract/messages/one-line.ts'
import type { Mail } from './mail.ts'

/** Sentences, or a code to copy. */
export type Part = string | { code: string }

export interface Letter {
  to: string
  subject: string
  /** BCP 47, for screen readers. */
  language: string
  parts: readonly Part[]
  goodForMs: number
}

/** Same words as plain text and HTML; no links and nothing to fetch. */
export function letter({ to, subject, language, parts, goodForMs }: Letter): Mail {
  const text = parts.map((part) => (typeof part === 'string' ? part : `    ${part.code}`)).join('\n\n')
  const html = parts.map(paragraph).join('\n')
  return {
    to,
    subject,
    goodForMs,
    text: `${text}\n`,
    html:
      `<!doctype html>\n<html lang="${escaped(language)}">\n<head>\n<meta charset="utf-8">\n` +
      `<title>${escaped(subject)}</title>\n</head>\n` +
      `<body style="font: 15px/1.5 sans-serif; max-width: 36em">\n${html}\n</body>\n</html>\n`,
  }
}

const paragraph = (part: Part): string =>
  typeof part === 'string'
    ? `<p>${escaped(part)}</p>`
    : `<p style="font: bold 28px monospace; letter-spacing: 4px">${escaped(part.code)}</p>`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Names can contain HTML. */
const escaped = (text: string): string =>
  asOneLine(text).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
