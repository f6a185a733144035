import { expect, it } from 'vitest'
import { fileExtension, harmlessTypeOf } from '../../src/fields/mime.ts'

it.each([
  ['image/png', 'png'],
  ['IMAGE/JPEG', 'jpg'],
  ['text/plain;charset=utf-8', 'txt'],
  ['application/x-unknown', 'dat'],
  ['constructor', 'dat'],
])('a %s is called .%s', (mime, extension) => {
  expect(fileExtension(mime)).toBe(extension)
})

it.each([
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ffe0', 'image/jpeg'],
  ['474946383961', 'image/gif'],
  ['89504e470d0a1a', undefined],
  ['3c737667', undefined],
  ['', undefined],
])('the bytes %s show %s', (hex, type) => {
  expect(harmlessTypeOf(Buffer.from(hex, 'hex'))).toBe(type)
})
