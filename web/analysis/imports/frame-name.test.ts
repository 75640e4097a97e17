import { expect, test } from 'vitest';

import { frameName } from './frame-name';
import { faultOf } from './test-fixtures/read';

test.each([
  ['__poll (fds=0x1, nfds=2) at poll.c:29', '__poll'],
  ['?? () from /lib/libc.so.6', '??'],
  ['[unknown]', '??'],
  ['[[kernel.kallsyms]]', '??'],
  ['libmysqlclient::??', '??'],
  ['0x00007f12ab', '??'],
  ['<signal handler called>', '<signal handler>'],
  ['Protocol::net_send_eof(THD*, unsigned int) ()', 'Protocol::net_send_eof'],
  ['TTASEventMutex<GenericPolicy>::wait(char const*) ()', 'TTASEventMutex<GenericPolicy>::wait'],
  ['void std::__invoke_impl<void, void (*)(unsigned long), unsigned long>(int) ()', 'std::__invoke_impl<…>'],
  ['decltype(auto) visit<int>(int&&)', 'visit<int>'],
  ['unsigned long long count(int)', 'count'],
  ['Foo::operator()(int) const (x=1)', 'Foo::operator()'],
  ['Foo::operator bool() const', 'Foo::operator bool'],
  ['std::shared_ptr<X>::operator->() const', 'std::shared_ptr<X>::operator->'],
  ['operator new(unsigned long)', 'operator new'],
  ['std::operator<< <char>(x)', 'std::operator<<<char>'],
  ['(anonymous namespace)::flush(int)', '(anonymous namespace)::flush'],
  ['{lambda(int)#1}::operator()(int) const ()', '{lambda(int)#1}::operator()'],
  ['<alloc::vec::Vec<T> as core::iter::X>::next', '<…>::next'],
  ['sync.(*Mutex).Unlock+0x80', 'sync.(*Mutex).Unlock'],
  ['pthread_cond_wait@@GLIBC_2.3.2 () from /lib/libc.so.6', 'pthread_cond_wait'],
  ['row_search_mvcc.constprop.0 (a=1)', 'row_search_mvcc'],
  ['row_search_mvcc [clone .cold] ()', 'row_search_mvcc'],
  ['counter_worker+0x28 [lockbench]', 'counter_worker'],
  ['futex_wait_[k]', 'futex_wait'],
  ['->java/util/HashMap.get', 'java/util/HashMap.get'],
  ['read(unistd.h:35)', 'read'],
  ['std::__invoke<void(invoke.h:96)', 'std::__invoke'],
  ['facade', 'facade'],
])('%s is %s', (frame, name) => {
  expect(frameName(frame, 1)).toBe(name);
});

test('hidden characters are refused, and shown', () => {
  expect(faultOf(() => frameName('mutex\u202Elock', 7))).toMatchObject({
    field: 'line 7',
    value: 'mutex\\u{202e}lock',
  });
});

test('a long name ends, without looking at its brackets again and again', () => {
  expect(frameName('<'.repeat(1_000_000), 1)).toBe('??');
  expect(frameName(`a${'<b'.repeat(1_000_000)}`, 1)).toBe('a');
  expect(frameName('operator '.repeat(100_000), 1).length).toBeLessThanOrEqual(4096);
});
