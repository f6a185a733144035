import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { fileFormats } from '../../../src/formats/file-formats.ts'
import { Row, Section } from '../../look/list.tsx'
import { bundlesOf, labelOf } from '../../look/names.ts'
import { bytes } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { type RowType, rowTypeOfFile, templateAddress } from './import-api.ts'
import {
  chooseRowType,
  hasRows,
  type ImportSource,
  pasted,
  rejectReason,
  rowType,
  source,
  startAnew,
  takeSource,
} from './import-state.ts'
import { Select } from './select.tsx'

/** File or text to import, and its row type. */
export function SourceFields(): JSX.Element {
  const given = source.value
  return (
    <Section title={say('import.what')}>
      {given === null ? <Choosing /> : <Chosen given={given} />}
      {(given === null || hasRows(given)) && <SubjectField />}
    </Section>
  )
}

const endings = Object.values(fileFormats)
  .flatMap((format) => format.endings.map((ending) => `.${ending}`))
  .join()

function Choosing(): JSX.Element {
  const id = useId()
  return (
    <li class="words">
      <p class="small soft">{say('import.about')}</p>
      <label class="btn tall fill spaced">
        <input
          type="file"
          class="out"
          accept={endings}
          onChange={({ currentTarget: { files } }) => void (files?.[0] && takeFile(files[0]))}
        />
        {say('import.choose-file')}
      </label>
      {rejectReason.value !== null && (
        <p class="fault" role="alert">
          {say(`import.not.${rejectReason.value}`)}
        </p>
      )}
      <div class="form-field">
        <label for={id}>{say('import.paste')}</label>
        <span class="field">
          <textarea
            id={id}
            rows={4}
            spellcheck={false}
            value={pasted.value}
            onInput={({ currentTarget }) => {
              pasted.value = currentTarget.value
            }}
          />
        </span>
      </div>
      {pasted.value.trim() !== '' && (
        <button type="button" class="btn spaced" onClick={() => takeSource(new Blob([pasted.value]), '')}>
          {say('import.use-text')}
        </button>
      )}
    </li>
  )
}

async function takeFile(file: File): Promise<void> {
  const known = rowTypeOfFile(file.name, subjects())
  if (known !== undefined) chooseRowType(known)
  await takeSource(file, file.name)
}

function Chosen({ given: { name, format, blob } }: { readonly given: ImportSource }): JSX.Element {
  return (
    <Row
      title={name || say('import.pasted')}
      second={`${say(`import.format.${format}`)} · ${bytes(blob.size)}`}
      end={
        <button type="button" class="btn plain" onClick={() => startAnew()}>
          {say('import.other-file')}
        </button>
      }
    />
  )
}

const types = ['log', 'asset', 'term'] as const

const subjects = (): readonly RowType[] =>
  types.flatMap((type) => bundlesOf(type).map(({ bundle }): RowType => ({ type, bundle })))

const keyOf = ({ type, bundle }: RowType): string => `${type}/${bundle}`

function SubjectField(): JSX.Element {
  const chosen = rowType.value
  const all = subjects()
  const kinds = types.map((type) => ({
    heading: say(`import.${type}s`),
    choices: all.filter((one) => one.type === type).map((one) => ({ value: keyOf(one), label: labelOf(one) })),
  }))
  return (
    <li class="words">
      <Select
        label={say('import.rows-are')}
        value={chosen === null ? '' : keyOf(chosen)}
        choices={chosen === null ? [{ value: '', label: say('import.choose-type') }, ...kinds] : kinds}
        onChoose={(value) => {
          const found = all.find((one) => keyOf(one) === value)
          if (found !== undefined) chooseRowType(found)
        }}
      />
      {chosen !== null && source.value === null && (
        <a class="btn spaced" href={templateAddress(chosen)} download="">
          {say('import.template')}
        </a>
      )}
    </li>
  )
}
