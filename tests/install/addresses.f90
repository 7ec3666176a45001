! SPDX-License-Identifier: MIT
! dem.f90 under an optimizing compiler: what the library writes behind an address, in a struct or by
! value, is read again after the call.
module callbacks
    use dem
    implicit none
contains
    integer(c_int32_t) function sink(user, bytes, size) bind(c)
        type(c_ptr), value :: user, bytes
        integer(c_int64_t), value :: size
        integer(c_int64_t), pointer :: n
        call c_f_pointer(user, n)
        n = n + size
        sink = DEM_OK
        if (.not. c_associated(bytes)) sink = DEM_ERROR_ARGUMENT
    end function
    integer(c_int32_t) function hook(user, world, dt) bind(c)
        type(c_ptr), value :: user, world
        real(c_double), value :: dt
        integer(c_int64_t), pointer :: n
        call c_f_pointer(user, n)
        n = n + 1
        hook = DEM_OK
        if (dt < 0 .or. .not. c_associated(world)) hook = DEM_ERROR_RANGE
    end function
    subroutine say(user, level, text) bind(c)
        type(c_ptr), value :: user, text
        integer(c_int32_t), value :: level
        integer(c_int64_t), pointer :: n
        call c_f_pointer(user, n)
        n = n + 1
        if (level < 0 .or. .not. c_associated(text)) n = 0
    end subroutine
end module
program addresses
    use dem
    use callbacks
    implicit none
    integer :: wrong = 0
    call integrate()
    call deposit()
    call contacts()
    call world()
    call refused()
    if (wrong > 0) stop 1
contains
    subroutine verdict(what, good)
        character(len=*), intent(in) :: what
        logical, intent(in) :: good
        if (.not. good) then
            print *, 'wrong: ', what
            wrong = wrong + 1
        end if
    end subroutine
    subroutine ok(s)
        integer(c_int32_t), intent(in) :: s
        if (s /= DEM_OK) then
            print *, 'status', s, dem_text(dem_status_string(s))
            stop 1
        end if
    end subroutine
    subroutine integrate()
        type(dem_integrator_config) :: c
        type(dem_integrator_arrays) :: a
        type(c_ptr) :: it
        real(c_double), target :: x(3,1), v(3,1), f(3,1), m(1)
        real(c_double) :: y
        call ok(dem_integrator_config_init(c))
        call ok(dem_integrator_create(c, it, c_null_ptr))
        call ok(dem_integrator_arrays_init(a))
        x = 0; v = 0; f = 1; m = 1
        a%count = 1; a%position = c_loc(x); a%velocity = c_loc(v); a%force = c_loc(f)
        a%mass = c_loc(m)
        call ok(dem_integrator_begin(it, a, 1.0_c_double))
        y = x(1,1)
        call verdict('dem_integrator_begin position', y == 0.5_c_double)
        f = 3
        call ok(dem_integrator_end(it, a))
        y = v(1,1)
        call verdict('dem_integrator_end velocity', y == 2.0_c_double)
        call dem_integrator_destroy(it)
    end subroutine
    subroutine contacts()
        type(dem_contact_history_config) :: config
        type(dem_contact_model) :: model
        type(dem_linear) :: linear
        type(dem_contacts_input) :: in
        type(c_ptr) :: history
        real(c_double), target :: x(3, 2), v(3, 2), radius(2), mass(2), force(3, 2)
        integer(c_int32_t), target :: pairs(2)
        real(c_double) :: y
        call ok(dem_contact_history_config_init(config))
        call ok(dem_contact_history_create(config, history, c_null_ptr))
        call ok(dem_linear_init(linear))
        linear%stiffness_normal = 1000
        call ok(dem_contact_model_init(model))
        call ok(dem_contact_model_add_linear_csds(model, linear))
        call ok(dem_contact_history_model_set(history, 0, 0, model))
        call ok(dem_contacts_input_init(in))
        x = 0; v = 0; force = 0; radius = 0.5_c_double; mass = 1; pairs = [0, 1]
        x(1, 2) = 0.99_c_double
        in%particle_count = 2; in%position = c_loc(x); in%velocity = c_loc(v)
        in%radius = c_loc(radius); in%mass = c_loc(mass); in%force = c_loc(force)
        in%pair_count = 1; in%pairs = c_loc(pairs); in%dt = 1e-3_c_double
        call ok(dem_contacts_evaluate(history, in, c_null_ptr))
        y = force(1, 1)
        call verdict('dem_contacts_evaluate force', abs(y + 10) < 1e-9)
        call dem_contact_history_destroy(history)
    end subroutine
    subroutine deposit()
        type(dem_deposition_grid) :: g
        real(c_double), target :: x(3,1), val(1), cells(8)
        real(c_double) :: y
        type(dem_error), target :: e
        integer(c_int32_t) :: s
        call ok(dem_deposition_grid_init(g))
        g%cells = 2
        x = 0.5_c_double; val = 1; cells = 0
        call ok(dem_deposit(g, 1_c_int64_t, c_loc(x), 24_c_int64_t, c_loc(val), 8_c_int64_t, &
            1_c_int64_t, c_loc(cells), c_null_ptr))
        y = sum(cells)
        call verdict('dem_deposit cells', abs(y - 1) < 1e-12)
        e%status = 0
        g%cells = 0
        s = dem_deposit(g, 1_c_int64_t, c_loc(x), 24_c_int64_t, c_loc(val), 8_c_int64_t, &
            1_c_int64_t, c_loc(cells), c_loc(e))
        call verdict('dem_error status', s == e%status)
    end subroutine
    subroutine world()
        type(dem_world_config) :: c
        type(dem_contact_model) :: model
        type(dem_linear) :: lin
        type(dem_particle) :: p
        type(dem_contact_arrays) :: ca
        type(dem_analysis_particles) :: ap
        type(dem_body_arrays) :: ba
        type(dem_body) :: b
        type(dem_body_part) :: part(1)
        type(c_ptr) :: w
        integer(c_int64_t), target :: hooked, sunk, told, ids(4), bid(1)
        integer(c_int64_t) :: n, cursor, size
        real(c_double), target :: ov(4), bx(3,1)
        real(c_double) :: y
        integer(c_int32_t) :: s
        call ok(dem_world_config_init(c))
        hooked = 0; told = 0
        c%before_forces = c_funloc(hook); c%before_forces_user = c_loc(hooked)
        c%log%user = c_loc(told); c%log%message = c_funloc(say)
        call ok(dem_world_create(c, w, c_null_ptr))
        call ok(dem_linear_init(lin)); lin%stiffness_normal = 1e4_c_double
        call ok(dem_contact_model_init(model))
        call ok(dem_contact_model_add_linear_csds(model, lin))
        call ok(dem_contact_model_set(w, 0, 0, model))
        call ok(dem_particle_init(p)); p%radius = 0.5_c_double
        call ok(dem_particle_add(w, p, c_null_ptr))
        p%position(1) = 0.99_c_double
        call ok(dem_particle_add(w, p, c_null_ptr))
        call ok(dem_body_init(b)); call ok(dem_body_part_init(part(1)))
        b%mass = 1; b%inertia = 1; b%position = 7; part(1)%radius = 0.1_c_double
        call ok(dem_body_add(w, b, 1_c_int64_t, part, c_null_ptr))
        call ok(dem_step(w, 1e-4_c_double, 3_c_int64_t))
        n = hooked
        call verdict('before_forces_user', n == 3)
        s = dem_step(w, 1e9_c_double, 1_c_int64_t)
        n = told
        call verdict('log user', n > 0)
        call ok(dem_contact_arrays_init(ca))
        ov = -7; ca%capacity = 4; ca%overlap = c_loc(ov); cursor = 0
        call ok(dem_world_contacts_read(w, cursor, ca, n))
        y = ov(1)
        call verdict('dem_world_contacts_read overlap', y > 0)
        call ok(dem_analysis_particles_init(ap))
        ids = -7; ap%capacity = 4; ap%contacts = c_loc(ids)
        call ok(dem_world_particles_analyse(w, ap, n))
        n = ids(1)
        call verdict('dem_world_particles_analyse contacts', n == 1)
        call ok(dem_body_arrays_init(ba))
        bx = -7; bid = -7; ba%capacity = 1; ba%position = c_loc(bx); ba%id = c_loc(bid); cursor = 0
        call ok(dem_world_bodies_read(w, cursor, ba, n))
        y = bx(1,1)
        call verdict('dem_world_bodies_read position', y > 6)
        sunk = 0
        call ok(dem_world_snapshot_write(w, c_funloc(sink), c_loc(sunk)))
        call ok(dem_world_snapshot_size(w, size))
        n = sunk
        call verdict('dem_world_snapshot_write user', n == size)
        call dem_world_destroy(w)
    end subroutine
    !> What a call is refused to write stays, also every other column, which goes through a copy.
    subroutine refused()
        type(dem_world_config) :: c
        type(dem_particle_handle) :: none(1)
        type(dem_body_handle) :: nobody(1)
        type(dem_body_part) :: part(1)
        type(dem_body) :: body
        type(c_ptr) :: w
        type(dem_error) :: error
        real(c_double) :: load(6,4), uncertain
        call ok(dem_world_config_init(c))
        call ok(dem_world_create(c, w, c_null_ptr))
        load = 7
        none(1)%index = 9
        call verdict('dem_particles_forces_get stale', &
            dem_particles_forces_get(w, 1_c_int64_t, none, load(:, 1:4:2)) /= DEM_OK)
        call verdict('dem_particles_forces_get writes nothing', all(load == 7))
        nobody(1)%index = 9
        call verdict('dem_bodies_loads_get stale', &
            dem_bodies_loads_get(w, 1_c_int64_t, nobody, load(:, 1:4:2)) /= DEM_OK)
        call verdict('dem_bodies_loads_get writes nothing', all(load == 7))
        call ok(dem_body_part_init(part(1)))
        call ok(dem_body_init(body))
        uncertain = 7
        call verdict('dem_clump_measure without a radius', &
            dem_clump_measure(1e3_c_double, 1_c_int64_t, part, body, uncertain, error) /= DEM_OK)
        call verdict('dem_clump_measure writes nothing', uncertain == 7)
        call dem_world_destroy(w)
    end subroutine
end program
