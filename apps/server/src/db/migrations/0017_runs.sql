CREATE TABLE "backfills" (
	"name" text PRIMARY KEY NOT NULL,
	"cursor" jsonb,
	"done_rows" bigint DEFAULT 0 NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"channel_id" text NOT NULL,
	"m_id" text NOT NULL,
	"id" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"answer" text NOT NULL,
	"answer_parts" text,
	"status" text NOT NULL,
	"is_empty" boolean NOT NULL,
	"error_code" text,
	"error_content" text,
	"model" text,
	"assistant_id" text,
	"input_tokens" double precision,
	"output_tokens" double precision,
	"cost" bigint,
	"finish_reason" text,
	"duration_ms" double precision,
	"continues" text,
	"prompt" text,
	"seq" double precision,
	"started_at" text NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "runs_channel_id_m_id_id_pk" PRIMARY KEY("channel_id","m_id","id")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "after_run_id" text DEFAULT '';--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "question_parts" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_channel_id_m_id_messages_channel_id_m_id_fk" FOREIGN KEY ("channel_id","m_id") REFERENCES "public"."messages"("channel_id","m_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_id" ON "runs" USING btree ("channel_id","id");--> statement-breakpoint
-- What follows mirrors the answers in "messages" into "runs", also those that nodes of the version before write. The rules
-- are those of the contract's message-adapter.ts; run-mirror.test.ts compares both.
--
-- Texts are as stored-text.ts writes them: as they are, or as JSON behind U+0001 where PostgreSQL cannot store them. This is
-- the JSON of such a text, without its quotes.
CREATE FUNCTION "json_of_stored"("stored" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select case when starts_with(stored, chr(1)) then substr(stored, 3, length(stored) - 3)
    else substr(to_json(stored)::text, 2, length(to_json(stored)::text) - 2) end
$$;--> statement-breakpoint
CREATE FUNCTION "stored_of_json"("body" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select case when body ~ '\\u0000|\\u[dD][89a-fA-F]' or starts_with(body, '\u0001') then chr(1) || '"' || body || '"'
    else ('"' || body || '"')::json #>> '{}' end
$$;--> statement-breakpoint
-- Cuts a text after so many UTF-16 units, perhaps between the halves of a character. Both are null where it is shorter.
CREATE FUNCTION "cut_stored"("stored" text, "units" integer, OUT "head" text, OUT "tail" text) LANGUAGE plpgsql IMMUTABLE AS $$
declare
  wide constant text := '[\U00010000-\U0010FFFF]';
  narrow constant text := '[^\U00010000-\U0010FFFF]+';
  piece text;
  chars integer;
  counted integer;
begin
  if units > 2 * length(stored) then return; end if;
  if not starts_with(stored, chr(1)) then
    chars := least(units, length(stored));
    chars := chars - length(regexp_replace(left(stored, chars), narrow, '', 'g'));
    counted := chars + length(regexp_replace(left(stored, chars), narrow, '', 'g'));
    -- Half of the units that are left is never too far.
    loop
      piece := substr(stored, chars + 1, greatest((units - counted) / 2, 1));
      exit when counted >= units or piece = '';
      chars := chars + length(piece);
      counted := counted + length(piece) + length(regexp_replace(piece, narrow, '', 'g'));
    end loop;
    if counted < units then return; end if;
    if counted = units then
      head := left(stored, chars);
      tail := substr(stored, chars + 1);
      if starts_with(tail, chr(1)) then tail := chr(1) || to_json(tail)::text; end if;
      return;
    end if;
  end if;
  with token as (
    select i, t, case when t ~ wide then 2 else 1 end as width
    from regexp_matches(json_of_stored(stored), '\\u[0-9a-fA-F]{4}|\\.|.', 'g') with ordinality found (part, i), lateral (select part[1]) one (t)
  ), placed as (select i, t, width, sum(width) over (order by i) as upto from token)
  select
    string_agg(case when upto <= units then t when upto - width < units then '\u' || to_hex(55296 + (ascii(t) - 65536) / 1024) end, '' order by i),
    string_agg(case when upto - width >= units then t when upto > units then '\u' || to_hex(56320 + (ascii(t) - 65536) % 1024) end, '' order by i),
    max(upto)
  into head, tail, counted from placed;
  if coalesce(counted, 0) < units then
    head := null;
    tail := null;
  else
    head := stored_of_json(coalesce(head, ''));
    tail := stored_of_json(coalesce(tail, ''));
  end if;
end
$$;--> statement-breakpoint
-- `laterTime`: the moment after a time, as ISO 8601 or, of another text, the next text.
CREATE FUNCTION "next_moment"("moment" text) RETURNS text LANGUAGE plpgsql STABLE AS $$
declare
  iso constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  at timestamp;
begin
  if starts_with(moment, chr(1)) then return stored_of_json(json_of_stored(moment) || '~'); end if;
  if moment !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$' then return moment || '~'; end if;
  at := left(moment, 23)::timestamp;
  if to_char(at, iso) <> moment or at >= timestamp '9999-12-31 23:59:59.999' then return moment || '~'; end if;
  return to_char(at + interval '1 millisecond', iso);
exception when invalid_datetime_format or datetime_field_overflow then return moment || '~';
end
$$;--> statement-breakpoint
-- The runs that one message tells of, the shown one last: `recordsOf`. The tokens and the cost of the shown one still
-- include those of the run that it continues.
CREATE FUNCTION "runs_of_message"("m" "messages") RETURNS SETOF "runs" LANGUAGE plpgsql STABLE AS $$
declare
  mark constant text := chr(57344);
  shown runs;
  earlier runs;
  pieces record;
  run_id constant text := m.run_message_id::text;
  run_ms bigint;
  masked text;
  answer json;
begin
  shown.channel_id := m.channel_id;
  shown.m_id := m.m_id;
  shown.owner_id := m.owner_id;
  shown.started_at := m.asked_at;
  earlier := shown;
  shown.id := coalesce(run_id, m.m_id);
  shown.answer := m.answer;
  shown.status := m.status;
  shown.is_empty := m.is_empty;
  shown.error_code := m.error_code;
  shown.error_content := case when m.error_code is not null then coalesce(m.error_content, '') end;
  shown.model := m.model;
  shown.assistant_id := m.assistant_id;
  if m.input_tokens is not null and m.output_tokens is not null then
    shown.input_tokens := m.input_tokens;
    shown.output_tokens := m.output_tokens;
    shown.cost := m.cost;
  end if;
  shown.finish_reason := m.finish_reason;
  shown.duration_ms := m.duration_ms;
  if run_id is null then
    return next shown;
    return;
  end if;

  shown.seq := coalesce(m.run_seq, 0);
  shown.prompt := m.run_question;
  if substr(run_id, 15, 1) = '7' and m.asked_at ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' then
    run_ms := ('x' || substr(run_id, 1, 8) || substr(run_id, 10, 4))::bit(48)::bigint;
    -- Up to the year 9999.
    if run_ms < 253402300800000 then
      shown.started_at := greatest(
        m.asked_at collate "C",
        to_char(date '1970-01-01' + (run_ms / 86400000)::integer + (run_ms % 86400000) * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"
      );
    end if;
  end if;
  earlier.id := case when run_id = m.m_id then m.m_id || ':before' else m.m_id end;
  earlier.status := 'interrupted';
  earlier.is_empty := false;
  earlier.model := m.model;
  earlier.assistant_id := m.assistant_id;
  -- What cannot be read of the answer before keeps this one from being stored no more than its absence would.
  if m.previous is not null then
    begin
      -- A JSON whose escapes are masked, because PostgreSQL reads neither U+0000 nor half a surrogate pair.
      masked := regexp_replace(replace(m.previous, mark, mark || 'e'), '\\(.)', mark || '\1', 'g');
      answer := replace(replace(masked, mark || '"', mark || 'q'), mark || '\', mark || 's')::json;
      earlier.answer := stored_of_masked(answer #>> '{chat_response,content}');
      earlier.status := case when answer ->> 'status' in ('completed', 'stopped', 'failed') then answer ->> 'status' else 'interrupted' end;
      earlier.is_empty := coalesce((answer ->> 'empty')::boolean, false);
      earlier.error_code := stored_of_masked(answer #>> '{error,code}');
      earlier.error_content := stored_of_masked(answer #>> '{error,content}');
      earlier.model := stored_of_masked(answer ->> 'model');
      earlier.assistant_id := stored_of_masked(answer ->> 'assistantId');
      earlier.input_tokens := (answer #>> '{usage,inputTokens}')::double precision;
      earlier.output_tokens := (answer #>> '{usage,outputTokens}')::double precision;
      earlier.cost := (answer #>> '{usage,cost}')::bigint;
      earlier.finish_reason := stored_of_masked(answer ->> 'finishReason');
      earlier.duration_ms := (answer ->> 'durationMs')::double precision;
    exception when data_exception then earlier.answer := null;
    end;
  end if;
  if m.run_base > 0 and m.run_base = trunc(m.run_base) and m.run_base < 1e9 then
    begin
      pieces := cut_stored(m.answer, m.run_base::integer);
      if pieces.head is not null then
        earlier.answer := pieces.head;
        shown.answer := pieces.tail;
        shown.continues := earlier.id;
      end if;
    exception when data_exception then null;
    end;
  end if;
  if earlier.answer is not null then
    if shown.started_at <= earlier.started_at collate "C" then shown.started_at := next_moment(earlier.started_at); end if;
    return next earlier;
  end if;
  return next shown;
end
$$;--> statement-breakpoint
CREATE FUNCTION "stored_of_masked"("masked" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  select stored_of_json(replace(
    regexp_replace(replace(replace(masked, chr(57344) || 'q', '\"'), chr(57344) || 's', '\\'), chr(57344) || '([bfnrtu/])', '\\\1', 'g'),
    chr(57344) || 'e', chr(57344)))
$$;--> statement-breakpoint
-- The text of a run with what it continues. Null for one that goes on with `beside`, and in a circle.
CREATE FUNCTION "text_with_continued"("run" "runs", "beside" text) RETURNS text LANGUAGE plpgsql STABLE AS $$
declare
  whole text := run.answer;
  steps integer := 0;
begin
  while run.continues is not null loop
    steps := steps + 1;
    if run.continues = beside or steps > 1000 then return null; end if;
    select r.* into run from runs r where r.channel_id = run.channel_id and r.m_id = run.m_id and r.id = run.continues;
    if not found then return whole; end if;
    whole := case when starts_with(whole, chr(1)) or starts_with(run.answer, chr(1))
      then stored_of_json(json_of_stored(run.answer) || json_of_stored(whole)) else run.answer || whole end;
  end loop;
  return whole;
end
$$;--> statement-breakpoint
-- Inserts the run, or brings it up to date where something differs.
CREATE FUNCTION "put_run"("run" "runs") RETURNS void LANGUAGE sql AS $$
  insert into runs as stored select (run).*
  on conflict (channel_id, m_id, id) do update set
    (answer, status, is_empty, error_code, error_content, model, assistant_id, input_tokens, output_tokens, cost, finish_reason, duration_ms, continues, prompt, seq, started_at) =
    (excluded.answer, excluded.status, excluded.is_empty, excluded.error_code, excluded.error_content, excluded.model, excluded.assistant_id, excluded.input_tokens,
      excluded.output_tokens, excluded.cost, excluded.finish_reason, excluded.duration_ms, excluded.continues, excluded.prompt, excluded.seq, excluded.started_at)
  where (stored.answer, stored.status, stored.is_empty, stored.error_code, stored.error_content, stored.model, stored.assistant_id, stored.input_tokens,
      stored.output_tokens, stored.cost, stored.finish_reason, stored.duration_ms, stored.continues, stored.prompt, stored.seq, stored.started_at)
    is distinct from (excluded.answer, excluded.status, excluded.is_empty, excluded.error_code, excluded.error_content, excluded.model, excluded.assistant_id, excluded.input_tokens,
      excluded.output_tokens, excluded.cost, excluded.finish_reason, excluded.duration_ms, excluded.continues, excluded.prompt, excluded.seq, excluded.started_at)
$$;--> statement-breakpoint
-- Brings the shown run of a message up to date. Of the runs before it one is inserted where none is stored whose text the
-- message goes on with, or none at all; stored ones stay as they are.
CREATE FUNCTION "mirror_message"("m" "messages") RETURNS void LANGUAGE plpgsql AS $$
declare
  run runs;
  shown runs;
  earlier runs;
  known_id text;
  used record;
  stored_start text;
  latest_start text;
begin
  for run in select * from runs_of_message(m) loop
    earlier := shown;
    shown := run;
  end loop;
  if earlier.id is not null and shown.continues is null then
    if not exists (select from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id <> shown.id) then perform put_run(earlier); end if;
  elsif earlier.id is not null then
    select r.id into known_id from runs r
    where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id <> shown.id and text_with_continued(r, shown.id) = earlier.answer
    order by
      r.id = (select s.continues from runs s where s.channel_id = m.channel_id and s.m_id = m.m_id and s.id = shown.id) desc nulls last,
      r.started_at collate "C" desc, r.id collate "C" desc
    limit 1;
    if known_id is null then
      if exists (select from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id = earlier.id) then
        earlier.id := shown.id || ':before';
      end if;
      perform put_run(earlier);
      known_id := earlier.id;
    end if;
    shown.continues := known_id;
    with recursive continued as (
      select r.id, r.continues, r.input_tokens, r.output_tokens, r.cost from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id = known_id
      union
      select r.id, r.continues, r.input_tokens, r.output_tokens, r.cost from runs r join continued c on r.id = c.continues
      where r.channel_id = m.channel_id and r.m_id = m.m_id
    )
    select sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(cost)::bigint as cost into used from continued;
    if used.input_tokens is not null then
      shown.input_tokens := shown.input_tokens - used.input_tokens;
      shown.output_tokens := shown.output_tokens - used.output_tokens;
      if used.cost is not null then shown.cost := shown.cost - used.cost; end if;
    end if;
  end if;
  -- The order of runs is that of their times, whatever the clocks of the devices that made their ids.
  select r.started_at into stored_start from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id = shown.id;
  if stored_start is not null then
    shown.started_at := greatest(shown.started_at collate "C", stored_start);
  else
    select max(r.started_at collate "C") into latest_start from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id;
    if shown.started_at <= latest_start collate "C" then shown.started_at := next_moment(latest_start); end if;
  end if;
  perform put_run(shown);
end
$$;--> statement-breakpoint
CREATE FUNCTION "messages_mirror"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  shown_id constant text := coalesce(new.run_message_id::text, new.m_id);
  earlier_id text;
  follower record;
begin
  if tg_op = 'UPDATE' then
    earlier_id := coalesce(old.run_message_id::text, old.m_id);
    -- Of a message that the backfill has not reached, what is overwritten is kept first.
    if not exists (select from runs where channel_id = old.channel_id and m_id = old.m_id and id = earlier_id) then perform mirror_message(old); end if;
    if earlier_id <> shown_id then
      -- Its writer cannot store its end any more.
      update runs set status = 'interrupted' where channel_id = old.channel_id and m_id = old.m_id and id = earlier_id and status = 'streaming';
      -- A chat without branches goes through what each exchange shows. Locked before it is compared: the backfill may
      -- be writing it.
      select channel_id, m_id, after_run_id into follower from messages
      where channel_id = new.channel_id and position > new.position order by position limit 1 for no key update;
      if follower.after_run_id = earlier_id then
        update messages set after_run_id = shown_id where channel_id = follower.channel_id and m_id = follower.m_id;
      end if;
    end if;
  end if;
  perform mirror_message(new);
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "messages_mirror" AFTER INSERT OR UPDATE OF
  "answer", "status", "is_empty", "error_code", "error_content", "model", "assistant_id", "input_tokens", "output_tokens", "cost", "finish_reason", "duration_ms",
  "run_message_id", "run_seq", "run_base", "run_question", "previous", "asked_at"
ON "messages" FOR EACH ROW EXECUTE FUNCTION "messages_mirror"();--> statement-breakpoint
-- An exchange that names no run follows what the one before it shows.
CREATE FUNCTION "messages_place"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if new.after_run_id = '' then
    new.after_run_id := (
      select coalesce(run_message_id::text, m_id) from messages where channel_id = new.channel_id and position < new.position order by position desc limit 1
    );
  end if;
  return new;
end
$$;--> statement-breakpoint
CREATE TRIGGER "messages_place" BEFORE INSERT ON "messages" FOR EACH ROW EXECUTE FUNCTION "messages_place"();--> statement-breakpoint
-- What followed a deleted exchange follows what is shown before it. Each search ends at the next deleted exchange, so
-- that deleting many reads none of them twice.
CREATE FUNCTION "messages_relink"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  update messages m set after_run_id = (
    select coalesce(p.run_message_id::text, p.m_id) from messages p where p.channel_id = m.channel_id and p.position < m.position order by p.position desc limit 1
  )
  from (select channel_id, position, lead(position) over (partition by channel_id order by position) as next_position from removed) r
  cross join lateral (
    select f.channel_id, f.m_id from messages f
    where f.channel_id = r.channel_id and f.position > r.position and (r.next_position is null or f.position < r.next_position) order by f.position limit 1
  ) follower
  where m.channel_id = follower.channel_id and m.m_id = follower.m_id and m.after_run_id <> ''
    and not exists (select from runs where channel_id = m.channel_id and id = m.after_run_id);
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "messages_relink" AFTER DELETE ON "messages" REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "messages_relink"();
