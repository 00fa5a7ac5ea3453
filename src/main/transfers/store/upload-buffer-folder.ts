export const UPLOAD_BUFFER = 'spool'
