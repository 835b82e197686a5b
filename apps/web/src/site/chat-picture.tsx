import type { FullLanguage } from '@parley/contract/languages'
import { product } from '@parley/contract/product'
import { ArrowUp, Cloud, Lock, Plus, RotateCcw, Search, Sparkles, SquarePen } from 'lucide-react'
import { Fragment } from 'react'
import { SiteLogo } from './site-logo'
import { siteTexts } from './site-texts'

/**
 * The product drawn with what it is made of. Whole as it stands; the script hides the answer once and writes it again.
 */
export function ChatPicture({ language }: { language: FullLanguage }) {
  const { picture } = siteTexts[language]
  return (
    <figure className="picture">
      <div className="picture-frame" role="img" aria-label={picture.label}>
        <div className="picture-side">
          <span className="logo">
            <SiteLogo />
            {product.name}
          </span>
          <ul>
            <li>
              <SquarePen aria-hidden />
              {picture.newChat}
            </li>
            <li>
              <Sparkles aria-hidden />
              {picture.agents}
            </li>
          </ul>
          <span className="picture-title">
            {picture.chats}
            <Search aria-hidden />
          </span>
          <Group name={picture.today} rows={[picture.title, ...picture.others]} language={language} isFirst />
          <Group name={picture.yesterday} rows={picture.older} language={language} />
        </div>
        <div className="picture-chat">
          <span className="picture-top">
            <b>{picture.title}</b>
            <span className="badge local">
              <Lock aria-hidden />
              {picture.where}
            </span>
          </span>
          <div className="picture-messages">
            <p className="picture-question">{picture.question}</p>
            <Answer language={language} />
          </div>
          <div className="picture-composer">
            <span>{picture.write}</span>
            <span className="picture-tools">
              <Plus aria-hidden />
              <span className="picture-send">
                <ArrowUp aria-hidden />
              </span>
            </span>
          </div>
          <span className="picture-promise">{picture.promise}</span>
        </div>
      </div>
      <button type="button" className="button small" data-play-again hidden>
        <RotateCcw size={15} aria-hidden />
        {picture.again}
      </button>
    </figure>
  )
}

type GroupProps = { name: string; rows: string[]; language: FullLanguage; isFirst?: boolean }

function Group({ name, rows, language, isFirst = false }: GroupProps) {
  const { picture } = siteTexts[language]
  return (
    <>
      <span className="picture-group">{name}</span>
      <ul>
        {rows.map((row, place) => {
          const isCloud = place === rows.length - 1 && isFirst
          return (
            <li key={row} className={isFirst && place === 0 ? 'on' : undefined}>
              <span className="picture-row">{row}</span>
              <span className={isCloud ? 'badge cloud' : 'badge local'}>
                {isCloud ? <Cloud aria-hidden /> : <Lock aria-hidden />}
                {isCloud ? picture.cloud : picture.local}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Answer({ language }: { language: FullLanguage }) {
  const { picture } = siteTexts[language]
  return (
    <div className="picture-answer">
      <span className="picture-speaker">
        <span className="picture-face" />
        <b>{picture.agent}</b>
        <span>{picture.model}</span>
      </span>
      <p>
        <Words text={picture.answer} />
      </p>
      <div className="picture-table" data-word>
        {[...picture.columns, ...picture.row].map((cell) => (
          <span key={cell}>{cell}</span>
        ))}
      </div>
      <p>
        <Words text={picture.ending} />
      </p>
      <span className="picture-cost" data-word>
        {picture.cost}
      </span>
    </div>
  )
}

/** Each word by itself, so that it can appear in its place and moves no other. */
function Words({ text }: { text: string }) {
  return text.split(' ').map((word, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text that never changes.
    <Fragment key={place}>
      <span data-word>{word}</span>{' '}
    </Fragment>
  ))
}
