/** Id of the software that is a jar which people have put into their server's folder themselves. */
export const CUSTOM = 'custom'
