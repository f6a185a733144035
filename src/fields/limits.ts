import { mebibyte } from './byte-size.ts'

/** The bounds of single values (docs/limits.md lists them for users). */
export const valueLimits = {
  nameLength: 255,
  textLength: 65_536,
  dataLength: 1_048_576,
  flagLength: 64,
  listLength: 1_000,
  partCount: 200,
  filesPerRecord: 20,
  fileBytesTogether: 20 * mebibyte,
  imagePixels: 50_000_000,
  fileTextLength: 1_024,
  filesToCome: 500,
  fileBytesToCome: 200 * mebibyte,
} as const
