import { attachmentNamed } from '../../http/content-disposition.ts'

/** What tells browsers and programs that it is a sheet, and what to call it. */
export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': attachmentNamed(`${name}.csv`),
})
