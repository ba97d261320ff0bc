<?php

/**
 * Puts an engine to the cases of `standing`. PHP 8.2 or later, and nothing else.
 *
 *     standing run --engine 'php adapter.php' SG-16
 *     standing ask loops.resolve '{"edges": []}' --engine 'php adapter.php'
 *
 * `loops.resolve` is worked out here as an example. Put a call to your engine in its place, and
 * add further operations to OPERATIONS as you get to them; `standing operations NAME` prints what
 * one is asked and answers. What is not in that table is declined, and its cases count as
 * unsupported.
 */

declare(strict_types=1);

/**
 * The engine's own no, with the word that the case looks for:
 *
 *     throw new Refusal('run_ended', 'checkpoint cp_1 belongs to a run that has ended');
 */
final class Refusal extends Exception
{
    public readonly array $data;

    public function __construct(string $reason, string $message, array $data = [])
    {
        parent::__construct($message);
        $this->data = ['reason' => $reason, ...$data];
    }
}

/** The engine has no notion of what this input asks for. */
final class Declined extends Exception
{
}

/** What is kept from question to question. Every case begins with a new one. */
final class Engine
{
    public array $runs = [];
}

// ---- The worked example. It works loops out by itself, which is your engine's to do and not an adapter's:
// ---- take it out, down to where it ends, and call your engine in its place.

/**
 * Which loops the edges make, which of them each node is in, and what is odd about them.
 *
 * Two traps: `[]` is a list in JSON, so what may be an empty object is cast to one; and a key like
 * '10' becomes a number, so names that have been keys are made strings again.
 */
function resolveLoops(Engine $engine, stdClass $params): array
{
    $after = $before = $tails = []; // sets of nodes by node; the nodes of a set are its keys
    foreach ($params->edges as $edge) {
        [$source, $target] = [$edge->source ?? '', $edge->target ?? ''];
        if ($source === '' || $target === '') {
            continue; // a loose end joins nothing
        }
        $kind = kindOf($edge);
        if ($kind === 'loopback') {
            $tails[$target][$source] = true;
        } elseif ($kind !== 'tool' && $kind !== 'agent_result') {
            $after[$source][$target] = true;
            $before[$target][$source] = true;
        }
    }

    // One loop a head, however many tails: all that lies on a way from the head to any of them.
    // A head that leads to no tail is a loop of its own.
    $loops = $diagnostics = [];
    foreach (names($tails) as $head) {
        $below = reach($after, [$head => true]);
        $above = reach($before, array_intersect_key($tails[$head], $below));
        $body = [$head => true] + array_intersect_key($below, $above);
        $loops[] = ['head' => $head, 'body' => $body, 'drawn' => count($body), 'absorbed' => []];
        foreach (names(array_diff_key($tails[$head], $below)) as $tail) {
            $diagnostics[] = ['code' => 'no_cycle', 'head' => $head, 'tail' => $tail];
        }
    }

    $loops = merge($loops);
    usort($loops, fn ($a, $b) => strcmp($a['head'], $b['head']));
    foreach ($loops as ['head' => $head, 'absorbed' => $absorbed]) {
        if ($absorbed !== []) {
            sort($absorbed, SORT_STRING);
            $diagnostics[] = ['code' => 'merged', 'head' => $head, 'absorbed' => $absorbed];
        }
    }

    // Loops that still share a node are nested, so the larger one is the outer one.
    $bodies = $memberships = [];
    usort($loops, fn ($a, $b) => count($b['body']) <=> count($a['body']));
    foreach ($loops as ['head' => $head, 'body' => $body]) {
        $bodies[$head] = names($body);
        foreach ($bodies[$head] as $node) {
            $memberships[$node][] = $head;
        }
    }
    return [
        'loops' => (object) $bodies,
        'memberships' => (object) $memberships,
        'diagnostics' => $diagnostics,
    ];
}

/** What an edge is: what the question says, else what handles and declared type say. */
function kindOf(stdClass $edge): string
{
    $leaves = $edge->sourceHandle ?? '';
    $arrives = $edge->targetHandle ?? '';
    $declared = $edge->data->edgeType ?? '';
    if (!is_string($declared) || $declared === '') { // then it declares nothing
        $declared = str_ends_with($arrives, '-input-tool') ? 'tool_availability' : 'data';
    }
    return $edge->kind ?? match (true) {
        $declared === 'tool_availability' => 'tool',
        str_ends_with($arrives, '-input-loop_back') => 'loopback',
        str_ends_with($arrives, '-input-trigger') => 'trigger',
        str_ends_with($leaves, '-output-error') => 'error',
        default => 'data',
    };
}

/** A set's nodes, sorted as text. */
function names(array $set): array
{
    $names = array_map(strval(...), array_keys($set));
    sort($names, SORT_STRING);
    return $names;
}

/** These nodes, and all that can be come to from them. */
function reach(array $steps, array $seen): array
{
    $waiting = array_keys($seen);
    while ($waiting !== []) {
        $new = array_diff_key($steps[array_pop($waiting)] ?? [], $seen);
        $seen += $new;
        array_push($waiting, ...array_keys($new));
    }
    return $seen;
}

/** Makes one of the loops that share nodes while neither lies within the other. */
function merge(array $loops): array
{
    do {
        $groups = [];
        foreach ($loops as $loop) {
            $touches = fn ($group) => array_filter($group, fn ($other) => tangled($loop, $other));
            $touching = array_filter($groups, $touches);
            $groups = [...array_diff_key($groups, $touching), array_merge([$loop], ...$touching)];
        }
        // What a merger gives can be as large as another loop, and is then looked at again.
        $before = count($loops);
        $loops = array_map(merged(...), $groups);
    } while (count($loops) < $before);
    return $loops;
}

function tangled(array $one, array $other): bool
{
    $sizes = [count($one['body']), count($other['body'])];
    $shared = count(array_intersect_key($one['body'], $other['body']));
    return $shared > 0 && ($shared < min($sizes) || $sizes[0] === $sizes[1]);
}

/** The head of the largest body as drawn, or of the first by name, stands for all of them. */
function merged(array $group): array
{
    usort($group, fn ($a, $b) => $b['drawn'] <=> $a['drawn'] ?: strcmp($a['head'], $b['head']));
    $one = array_shift($group);
    foreach ($group as $other) {
        $one['body'] += $other['body'];
        array_push($one['absorbed'], $other['head'], ...$other['absorbed']);
    }
    return $one;
}

// ---- The worked example ends here.

const OPERATIONS = ['loops.resolve' => 'resolveLoops'];

const ABOUT = [
    'protocol' => 1,
    'engine' => ['name' => 'my engine', 'version' => '0.1.0', 'language' => 'php'],
    'profiles' => ['runtime'],
];

/** The line that answers a question. */
function answer(Engine $engine, stdClass $question): string
{
    [$id, $method] = [$question->id ?? null, $question->method];
    try {
        $result = match ($method) {
            'initialize' => ABOUT + ['operations' => array_keys(OPERATIONS)],
            'reset', 'shutdown' => new stdClass(),
            default => (OPERATIONS[$method] ?? throw new Declined("no $method here"))(
                $engine,
                $question->params ?? new stdClass(),
            ),
        };
        return reply($id, ['result' => $result]);
    } catch (Refusal $refusal) {
        $error = ['code' => 1, 'message' => $refusal->getMessage(), 'data' => $refusal->data];
    } catch (Declined $declined) {
        $error = ['code' => -32601, 'message' => $declined->getMessage()];
    } catch (Throwable $fault) { // this file's own failure, an error of that case alone
        fwrite(STDERR, "$fault\n");
        $error = ['code' => -32603, 'message' => $fault->getMessage()];
    }
    return reply($id, ['error' => $error]);
}

function reply(mixed $id, array $member): string
{
    return json_encode(['jsonrpc' => '2.0', 'id' => $id, ...$member], JSON_THROW_ON_ERROR);
}

// What the engine prints is no answer, nor are PHP's own warnings.
ini_set('display_errors', 'stderr');
ob_start(function (string $printed): string {
    fwrite(STDERR, $printed);
    return '';
}, 1);

$engine = new Engine();
while (($line = fgets(STDIN)) !== false) {
    if (trim($line) === '') {
        continue;
    }
    $question = json_decode($line);
    if (!is_string($question->method ?? null)) {
        $code = json_last_error() === JSON_ERROR_NONE ? -32600 : -32700;
        $error = ['code' => $code, 'message' => 'this line is no question'];
        fwrite(STDOUT, reply(null, ['error' => $error]) . "\n");
        continue;
    }
    if ($question->method === 'reset') {
        $engine = new Engine();
    }
    $line = answer($engine, $question);
    if (property_exists($question, 'id')) { // without one it is a notification
        fwrite(STDOUT, "$line\n");
    }
    if ($question->method === 'shutdown') {
        break;
    }
}
