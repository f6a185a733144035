export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** Limits in words; they are whole numbers of their unit. */
export const inKibibytes = (bytes: number): string => `${bytes / kibibyte} KiB`
export const inMebibytes = (bytes: number): string => `${bytes / mebibyte} MiB`
