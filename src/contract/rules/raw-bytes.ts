/**
 * Linux names are bytes, and some are not valid UTF-8. In a contract path, each such byte (80 to FF) is one of these
 * characters: U+F700 plus the byte.
 */
export const RAW_BYTES = /[\uf780-\uf7ff]/g

export const hasRawBytes = (name: string): boolean => name.search(RAW_BYTES) >= 0

/** For display, with replacement characters. */
export const shownBytes = (text: string): string => text.replaceAll(RAW_BYTES, '\ufffd')
