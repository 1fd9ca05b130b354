import { describe, expect, it } from 'vitest';

import { abstractOf, constant, UNKNOWN, type AbstractValue } from '../model/abstract-value.js';
import { classifyCommand, classifyShell } from './command.js';

const run = (file: string, ...args: string[]) => classifyCommand(constant(file), abstractOf(args));
const shell = (text: string) => classifyShell(constant(text));

describe('the programs of text filters', () => {
  it.each([
    ['awk', '{ print > "/data/x" }'],
    ['awk', 'BEGIN { system("rm -rf /data") }'],
    ['awk', '{ print $1 | "sh" }'],
    ['gawk', 'BEGIN { "date" | getline now }'],
    ['sed', 'w /data/x'],
    ['sed', 's/a/b/w /data/x'],
    ['sed', '1e rm /data/x'],
    ['rg', '--pre=rm'],
  ])('leaves open what %s does by %s', (file, program) => {
    expect(run(file, program, 'a.txt').effect).toBe('unknown');
  });

  it('leaves open what a program does that a model gives', () => {
    const args: AbstractValue = {
      kind: 'array',
      elements: [{ kind: 'input', path: 'program' }],
      isOpen: false,
    };
    expect(classifyCommand(constant('awk'), args)).toMatchObject({
      effect: 'unknown',
      condition: { input: 'program' },
    });
  });

  it('is by-name where a model may give an option, and proven behind the end of options', () => {
    const log = (...elements: AbstractValue[]) =>
      classifyCommand(constant('git'), {
        kind: 'array',
        elements: [constant('log'), ...elements],
        isOpen: false,
      });
    const input: AbstractValue = { kind: 'input', path: 'ref' };
    expect(log(input)).toMatchObject({ effect: 'none', confidence: 'by-name' });
    expect(log(constant('--'), input)).toMatchObject({ effect: 'none', confidence: 'proven' });
  });
});

describe('classifyCommand', () => {
  it.each([
    'git status',
    'git log --oneline -5',
    'git -C /repo --no-pager diff HEAD~1',
    'git branch',
    'git branch --list feature/*',
    'git tag -l',
    'git remote -v',
    'git stash list',
    'git config --get user.name',
    'git config user.name',
    'git add --dry-run .',
    'git ls-remote origin',
    '/usr/bin/git rev-parse HEAD',
    'gh pr view 12 --json title',
    'gh api repos/o/r/issues',
    'gh api graphql -f query=query{viewer{login}}',
    'kubectl get pods -n x',
    'kubectl apply -f x.yaml --dry-run=client',
    'kubectl logs pod',
    'docker ps -a',
    'docker compose -f a.yml ps',
    'npm view react version',
    'npm ls --json',
    'cat a.txt',
    'find . -name x -type f',
    'sed s/a/b/ a.txt',
    'sed -n 1,20p a.txt',
    'awk $1>5{print$2} a.txt',
    'awk -F: /we/||/x/{print$1} /etc/passwd',
    'curl https://a.example/x',
    'curl -sSL -H Accept:json https://a.example/x',
    'curl -I https://a.example',
    'curl -X POST https://a.example/search -d {}',
    'psql -h db -c SELECT',
    'sqlite3 a.db .tables',
    'adb devices',
    'adb shell getprop ro.build',
    'adb shell settings get system user_rotation',
    'frobnicator --version',
    'xcrun simctl list --json',
    'systemctl status nginx',
    'terraform plan',
    'aws s3 ls',
    'aws ec2 describe-instances --region x',
    'gcloud compute instances list',
    'tar -tzf a.tgz',
    'sudo -u root cat /etc/hosts',
    'timeout 5 ls',
    'kubectl exec -it p -c web -- ls /srv',
    'docker exec -u root app cat /etc/hosts',
    'npx prettier@3 --check src',
    'node --version',
    'eslint src',
    'mkdir -p /tmp/x/y',
    'rm -rf /tmp/x',
  ])('reads: %s', (line) => {
    const [file = '', ...args] = line.split(' ');
    expect(run(file, ...args)).toMatchObject({ effect: 'none', certainty: 'always' });
  });

  it.each([
    ['git commit -m x', 'local', 'create'],
    ['git push origin main', 'remote', 'set'],
    ['git branch new', 'local', 'ensure'],
    ['git branch -D old', 'local', 'delete'],
    ['git tag v1', 'local', 'ensure'],
    ['git config user.name me', 'local', 'set'],
    ['git stash', 'local', 'append'],
    ['git stash pop', 'local', 'pop'],
    ['git checkout main', 'local', 'write'],
    ['gh issue create --title x', 'remote', 'create'],
    ['gh issue close 1', 'remote', 'set'],
    ['gh api -X DELETE repos/o/r', 'remote', 'delete'],
    ['gh api repos/o/r/issues -f title=x', 'remote', 'create'],
    ['gh api graphql -f query=mutation{addStar(input:{}){id}}', 'remote', 'create'],
    ['kubectl delete pod x', 'remote', 'delete'],
    ['kubectl rollout restart deploy/x', 'remote', 'run'],
    ['docker run -d nginx', 'local', 'create'],
    ['docker rm -f x', 'local', 'delete'],
    ['npm install react', 'local', 'set'],
    ['npm publish', 'remote', 'create'],
    ['npm version patch', 'local', 'increment'],
    ['find . -delete', 'local', 'delete'],
    ['sed -i s/a/b/ a.txt', 'local', 'write'],
    ['curl -X DELETE https://a.example/x/1', 'remote', 'delete'],
    ['curl -XPUT https://a.example/x/1 -d {}', 'remote', 'set'],
    ['curl --data a=b https://a.example/items', 'remote', 'create'],
    ['curl -o out.bin https://a.example/x', 'local', 'set'],
    ['psql --command=DELETE', 'remote', 'delete'],
    ['mkdir -p src/x', 'local', 'ensure'],
    ['rm -rf build', 'local', 'delete'],
    ['cp a b', 'local', 'set'],
    ['aws s3 rm s3://b/k', 'remote', 'delete'],
    ['aws dynamodb put-item --table-name t', 'remote', 'set'],
    ['gcloud compute instances delete x', 'remote', 'delete'],
    ['terraform apply -auto-approve', 'remote', 'set'],
    ['systemctl restart nginx', 'local', 'run'],
    ['adb shell pm uninstall a.b', 'local', 'delete'],
    ['adb shell settings put system user_rotation 1', 'local', 'set'],
    ['sudo systemctl stop nginx', 'local', 'set'],
    ['prettier --write src', 'local', 'set'],
    ['kill 123', 'local', 'delete'],
    ['docker exec app rm -rf /srv/x', 'local', 'delete'],
  ])('writes: %s', (line, effect, kind) => {
    const [file = '', ...args] = line.split(' ');
    expect(run(file, ...args)).toMatchObject({ effect, kind, certainty: 'always' });
  });

  it.each([
    'frobnicate x',
    'node script.js',
    'python3 -c x',
    'npm run build',
    'make all',
    'kubectl exec p -- frobnicate',
    'ssh host ls',
    'git unknown-thing',
    'npx some-tool@2.0.0',
  ])('can not say: %s', (line) => {
    const [file = '', ...args] = line.split(' ');
    expect(run(file, ...args)).toMatchObject({ effect: 'unknown', certainty: 'undecided' });
  });

  it('reads the SQL behind the option', () => {
    expect(classifyCommand(constant('psql'), abstractOf(['-c', 'SELECT 1']))).toMatchObject({
      effect: 'none',
    });
    expect(
      classifyCommand(constant('psql'), abstractOf(['-d', 'x', '-c', 'INSERT INTO t VALUES (1)'])),
    ).toMatchObject({ effect: 'remote', kind: 'create' });
    expect(classifyCommand(constant('sqlite3'), abstractOf(['a.db', 'DELETE FROM t']))).toMatchObject({
      effect: 'local',
      kind: 'delete',
    });
  });

  it('names the tool argument when the subcommand comes from it', () => {
    const args: AbstractValue = {
      kind: 'array',
      elements: [{ kind: 'input', path: 'action' }],
      isOpen: false,
    };
    expect(classifyCommand(constant('git'), args)).toMatchObject({
      certainty: 'undecided',
      condition: { input: 'action' },
    });
  });

  it('is conditional when the subcommand is one of several', () => {
    const verb: AbstractValue = { kind: 'one-of', values: [constant('status'), constant('push')] };
    const args: AbstractValue = { kind: 'array', elements: [verb], isOpen: false };
    expect(classifyCommand(constant('git'), args)).toMatchObject({
      effect: 'remote',
      certainty: 'conditional',
      condition: { writesWhen: ['push'], readsWhen: ['status'] },
    });
  });

  it('is undecided when unknown arguments may hold an option that writes', () => {
    const args: AbstractValue = { kind: 'array', elements: [constant('branch')], isOpen: true };
    expect(classifyCommand(constant('git'), args)).toMatchObject({ certainty: 'undecided' });
    const log: AbstractValue = { kind: 'array', elements: [constant('rev-parse'), UNKNOWN], isOpen: false };
    expect(classifyCommand(constant('git'), log)).toMatchObject({ effect: 'none' });
  });

  it('runs the file as shell text when the shell option is set', () => {
    expect(classifyCommand(constant('git push'), abstractOf([]), constant(true))).toMatchObject({
      effect: 'remote',
    });
  });
});

describe('classifyShell', () => {
  it.each([
    'git status && git diff',
    'cat a | grep b | wc -l',
    'ls 2>/dev/null',
    'cd /repo && git log',
    'FOO=1 git status',
    'if [ -f x ]; then cat x; fi',
    'for f in *.ts; do wc -l "$f"; done',
    'echo hello',
    'test -d x || true',
    "bash -lc 'git status'",
    'echo x > /tmp/a',
    'f() { cat x; }; f',
  ])('reads: %s', (text) => {
    expect(shell(text)).toMatchObject({ effect: 'none', certainty: 'always' });
  });

  it.each([
    ['git status && git push', 'remote'],
    ['echo x > out.txt', 'local'],
    ['echo x >> out.txt', 'local'],
    ['cat a | tee b', 'local'],
    ['echo $(rm x)', 'local'],
    ["sh -c 'rm -rf build'", 'local'],
    ['find . -name x | xargs rm', 'local'],
    ['cd x; npm install', 'local'],
    ['cat <<EOF > a.txt\nx\nEOF', 'local'],
    ['git log; git commit -am x', 'local'],
  ])('writes: %s', (text, effect) => {
    expect(shell(text)).toMatchObject({ effect, certainty: 'always' });
  });

  it.each([
    '$CMD x',
    'eval "$x"',
    '. ./env.sh',
    'git status && frobnicate',
    'curl https://x.example | sh',
    'git status "',
    'if true; then git status',
  ])('can not say: %s', (text) => {
    expect(shell(text).certainty).toBe('undecided');
  });

  it('names the tool argument when the command is a hole', () => {
    const value: AbstractValue = {
      kind: 'template',
      parts: [{ kind: 'input', path: 'program' }, constant(' --version')],
    };
    expect(classifyShell(value)).toMatchObject({ certainty: 'undecided', condition: { input: 'program' } });
  });

  it('never throws, whatever the text', () => {
    for (const text of [
      '',
      '"',
      '$(',
      '`',
      '((',
      'case x in',
      '<<EOF',
      '\u0000',
      '{'.repeat(2000),
      '$('.repeat(500),
    ]) {
      expect(() => shell(text)).not.toThrow();
    }
  });
});

describe('a hole in shell text', () => {
  const around = (hole: AbstractValue): AbstractValue => ({
    kind: 'template',
    parts: [constant('git log '), hole],
  });

  it('is a word of the command when the code fills it', () => {
    expect(classifyShell(around(UNKNOWN))).toMatchObject({ effect: 'none' });
  });

  it('may hold another command when the model fills it', () => {
    expect(classifyShell(around({ kind: 'input', path: 'branch' }))).toMatchObject({
      certainty: 'undecided',
      reason: 'can write when `branch` holds a command that writes',
    });
  });
});
